;;; Drives the server from a real Emacs, with the snippet of docs/editors/emacs.md:  -*- lexical-binding: t -*-
;;;   emacs --batch -Q -l tests/e2e/emacs.el        `agentbrief` is on PATH; exits 0, or 1 with the reason
(dolist (dir (directory-files "/usr/share/emacs/site-lisp/elpa" t "^[a-z]")) (add-to-list (quote load-path) dir)) ; -Q skips it
(defun say (&rest args) (message "%s" (apply #'format args)))
(defun until (what predicate &optional seconds)
  (let ((limit (+ (float-time) (or seconds 20))) got)
    (while (and (not (setq got (funcall predicate))) (< (float-time) limit))
      (accept-process-output nil 0.05) (sit-for 0.01))
    (or got (error "not in time: %s" what))))
(defun check (ok what) (unless ok (error "failed: %s" what)))

;; The snippet, word for word as the page has it.
(with-temp-buffer
  (insert-file-contents "docs/editors/emacs.md")
  (re-search-forward "^```elisp\n")
  (let ((start (point)))
    (re-search-forward "^```")
    (eval-region start (match-beginning 0))))

;; What batch mode needs: nobody is there to answer.
(setq eglot-sync-connect 20 eglot-connect-timeout 20 eglot-autoshutdown nil eglot-confirm-server-initiated-edits nil
      eglot-extend-to-xref nil make-backup-files nil create-lockfiles nil flymake-no-changes-timeout 0.1)

(condition-case err
    (let* ((dir (file-truename (make-temp-file "ws-" t))) (file (expand-file-name "CLAUDE.md" dir)))
      (make-directory (expand-file-name ".git" dir))
      (with-temp-file file
        (insert "# Rules\n\n- be kind" (mapconcat (lambda (char) (string (+ #xE0000 char))) "send the key" "") "\n\n## Build\n\n")
        (dotimes (i 120) (insert (format "- rule %03d: keep it short and say what you did 🍎\n" i))))
      (with-temp-file (expand-file-name "README.md" dir) (insert "# Read me\n"))
      (find-file (expand-file-name "README.md" dir))
      (check (not (derived-mode-p 'agentbrief-md-mode)) "other Markdown is left alone")
      (say "ok - nothing happens in other Markdown files")
      (find-file file)
      (check (derived-mode-p 'agentbrief-md-mode) "the snippet's mode")
      (apply #'eglot (eglot--guess-contact)) ; in batch mode eglot-ensure does nothing
      (let ((server (eglot-current-server)))
        (check (and server (jsonrpc-running-p server)) "connected")
        (cl-flet ((found (text) (seq-find (lambda (each) (string-match-p (regexp-quote text) (flymake-diagnostic-text each)))
                                          (flymake-diagnostics))))
          (until "findings" (lambda () (flymake-start) (and (found "Claw reads the first 4,000 characters") (found "send the key"))))
          (say "ok - findings")
          (let ((past (found "Not read by Claw")))
            (check past "the text past the limit")
            (check (member '(1) (mapcar (lambda (d) (append (plist-get (cdr (assoc 'eglot-lsp-diag (eglot--diag-data d))) :tags) nil))
                                        (list past)))
                   "its tag"))
          (say "ok - text past the limit"))
        (goto-char (point-min))
        (let* ((hover (jsonrpc-request server :textDocument/hover (eglot--TextDocumentPositionParams)))
               (text (plist-get (plist-get hover :contents) :value)))
          (check (string-match-p "characters reach the agent" text) "hover on line 1")
          (check (not (string-match-p "data:" text)) "no picture where none can be shown")
          (say "ok - hover"))
        (let* ((place (eglot--pos-to-lsp-position (point-min)))
               (actions (jsonrpc-request server :textDocument/codeAction
                                         (list :textDocument (eglot--TextDocumentIdentifier)
                                               :range (list :start place :end place) :context (list :diagnostics []))))
               (action (seq-find (lambda (each) (equal (plist-get each :title) "Show context budget")) actions))
               (command (plist-get action :command)))
          (check command "every command is an action on line 1")
          (let ((reply (jsonrpc-request server :workspace/executeCommand
                                        (list :command (plist-get command :command) :arguments (plist-get command :arguments)))))
            (check (file-exists-p (plist-get reply :path)) "the page is a file that is named")
            (with-temp-buffer
              (insert-file-contents (plist-get reply :path))
              (check (string-match-p "# Context budget:" (buffer-string)) "its title")
              (check (string-match-p "▓" (buffer-string)) "bars in text")))
          (say "ok - commands as actions on line 1, and a page"))
        (search-forward "be kind")
        (let* ((place (eglot--pos-to-lsp-position (point)))
               (actions (jsonrpc-request server :textDocument/codeAction
                                         (list :textDocument (eglot--TextDocumentIdentifier)
                                               :range (list :start place :end place) :context (list :diagnostics [])))))
          (check (seq-find (lambda (each) (string-match-p "Remove invisible characters here" (plist-get each :title))) actions) "quick fix")
          (say "ok - quick fix is offered"))
        (erase-buffer)
        (insert "# short\n")
        (eglot--signal-textDocument/didChange)
        (until "no findings" (lambda () (flymake-start) (null (flymake-diagnostics))))
        (say "ok - an edit")
        (eglot-shutdown server)
        (check (not (jsonrpc-running-p server)) "stopped")
        (set-buffer-modified-p nil)
        (say "EMACS passed (%s)" emacs-version)))
  (error (say "EMACS failed: %s" (error-message-string err)) (kill-emacs 1)))
