#!/usr/bin/env bash
# Builds agentbrief.vsix: one universal file with the server and its libraries inside, nothing compiled.
#   PYTHON   a Python with pip and the server's own dependencies, to generate what follows from its data
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")"
PYTHON=${PYTHON:-../.venv/bin/python}
[[ node_modules/.package-lock.json -nt package-lock.json ]] || npm ci --no-audit --no-fund --loglevel=error
"$PYTHON" generate.py
rm -rf bundled dist
mkdir -p bundled
cp run_bundled.py bundled/
# `--abi none --implementation py` lets in only wheels without compiled code; a platform must be named for watchdog, whose Linux
# wheel is pure Python under a platform tag. pip fails here if a library has nothing but compiled wheels.
"$PYTHON" -m pip install --quiet --disable-pip-version-check --root-user-action=ignore --target bundled/libs --no-deps --no-compile \
  --only-binary=:all: --python-version 3.11 --implementation py --abi none --platform any --platform manylinux2014_x86_64 \
  --constraint ../constraints.txt --requirement requirements-bundled.txt
rm -rf bundled/libs/bin bundled/libs/*.dist-info/{sboms,RECORD,WHEEL,INSTALLER,REQUESTED,entry_points.txt,top_level.txt}
find bundled/libs -name '*.pyi' -delete
# Of a library's description only the head is needed, which says its version.
for metadata in bundled/libs/*.dist-info/METADATA; do sed -i '/^$/q' "$metadata"; done
cp -r ../server/agentbrief_server ../features/agentbrief bundled/libs/
# What no language server needs: the command line, and tools of libraries.
rm -rf bundled/libs/agentbrief_server/{cli,__main__.py} bundled/libs/watchdog/{tricks,watchmedo.py,__main__.py} \
  bundled/libs/cattrs/preconf bundled/libs/pygls/cli.py
find bundled -name __pycache__ -prune -exec rm -rf {} +
if find bundled -name '*.so' -o -name '*.pyd' -o -name '*.dylib' | grep -q .; then
  echo 'compiled code in bundled/' >&2
  exit 1
fi
cp ../LICENSE LICENSE
npm run --silent check
npm run --silent build -- --log-level=warning
npx --no-install vsce package --no-dependencies --allow-missing-repository --out agentbrief.vsix >/dev/null
if [[ $(stat -c %s agentbrief.vsix) -ge 2000000 ]]; then
  echo 'agentbrief.vsix is 2 MB or more' >&2
  exit 1
fi
ls -l agentbrief.vsix | awk '{print $5, "bytes", $NF}'
