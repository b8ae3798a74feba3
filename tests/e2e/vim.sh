#!/usr/bin/env bash
# Drives the server from Vim with ALE in a terminal, with the snippet of docs/editors/vim.md: what a person types and sees.
#   tests/e2e/vim.sh          `agentbrief` is on PATH; Debian's vim, vim-ale and tmux
set -euo pipefail
here=$(mktemp -d)
socket=agentbrief-$$
trap 'tmux -L "$socket" kill-server 2>/dev/null || true; rm -rf "$here"' EXIT

{
  echo 'set nocompatible nobackup noswapfile signcolumn=yes'
  echo 'set runtimepath^=/usr/share/vim/vimfiles/pack/dist-bundle/opt/ale'
  echo 'filetype plugin on'
  # The snippet, word for word as the page has it.
  sed -n '/^```vim$/,/^```$/p' docs/editors/vim.md | sed '/^```/d'
} >"$here/vimrc"
mkdir -p "$here/shop/.git"
{
  printf '# Rules\n\n'
  for i in $(seq 100 220); do printf -- '- rule %s: keep it short and say what you did\n' "$i"; done
} >"$here/shop/CLAUDE.md"
printf '# Read me\n' >"$here/shop/README.md"

screen() { tmux -L "$socket" capture-pane -p -t ed; }

sees() { # a text, within 20 s
  for _ in $(seq 200); do
    if screen | grep -qF -- "$1"; then return 0; fi
    sleep 0.1
  done
  echo "never seen: $1"
  screen
  return 1
}

keys() { tmux -L "$socket" send-keys -t ed "$@"; }

tmux -L "$socket" -f /dev/null new-session -d -s ed -x 120 -y 32 -- vim -Nu "$here/vimrc" "$here/shop/CLAUDE.md"
sees '- rule 100'
keys '87gg'
sees 'Claw reads the first 4,000 characters of a file'
echo 'ok - findings'
keys 'gg'
keys ':ALEHover' Enter
sees '4,000 of 5,695 characters reach the agent'
echo 'ok - hover'
keys ':qa!' Enter
for _ in $(seq 50); do tmux -L "$socket" has-session -t ed 2>/dev/null || break; sleep 0.1; done
echo 'VIM passed'
