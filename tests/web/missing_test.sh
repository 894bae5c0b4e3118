#!/bin/sh
# missing_test: a browser test that cannot run prints the reason in one line and is skipped.
set -eu
here=$(realpath "$(dirname "$0")")
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cp "$here"/*.mjs "$here"/*.json "$here"/install.sh "$here"/run.sh "$scratch"
cd "$scratch"
failed=0

ends_with() { # ends_with STATUS LINE COMMAND...
    wanted=$1
    line=$2
    shift 2
    status=0
    "$@" >got 2>&1 || status=$?
    if [ "$status" != "$wanted" ] || [ "$(wc -l <got)" != 1 ] || ! grep -q "$line" got; then
        echo "wanted status $wanted and the one line '$line', got status $status:"
        cat got
        failed=1
    fi
}

# Port 9 of this machine answers at once that nothing listens there.
export npm_config_registry=http://127.0.0.1:9/ npm_config_cache="$scratch/cache" npm_config_noproxy=127.0.0.1
if command -v npm >/dev/null; then
    ends_with 0 'from http://127.0.0.1:9/: .*ECONNREFUSED; the browser tests will be skipped$' sh install.sh
fi
mkdir bin
ln -s "$(command -v cmp)" "$(command -v dirname)" bin
ends_with 0 'npm is not installed; the browser tests will be skipped$' env PATH="$scratch/bin" "$(command -v sh)" install.sh
ends_with 77 '^skipped: these tests need node 18 or newer, found: none;' env PATH="$scratch/bin" "$(command -v sh)" run.sh report.test.mjs
printf '#!/bin/sh\necho v12.22.9\n' >bin/node
chmod +x bin/node
ends_with 77 'found: v12.22.9;' env PATH="$scratch/bin" "$(command -v sh)" run.sh report.test.mjs
if ! command -v node >/dev/null; then
    exit $failed
fi
ends_with 77 '^skipped: playwright-core and axe-core are not installed' sh run.sh report.test.mjs

if [ -e "$here/node_modules/installed" ]; then
    ln -s "$here/node_modules" node_modules
    ends_with 77 '^skipped: /none does not exist; install chromium' env CHROMIUM=/none sh run.sh report.test.mjs
    ends_with 77 '^skipped: /bin/false does not start: ' env CHROMIUM=/bin/false sh run.sh report.test.mjs
    if cmp -s package-lock.json node_modules/installed; then
        sh install.sh >got 2>&1
        if [ -s got ]; then
            echo 'packages that are installed are not fetched again:'
            cat got
            failed=1
        fi
    fi
fi
exit $failed
