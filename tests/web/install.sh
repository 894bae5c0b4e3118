#!/bin/sh
# install: the npm packages of the browser tests, as package-lock.json names them, into
# node_modules next to this file. Does nothing when they are there. Where they cannot be fetched
# it prints why, within two minutes, and succeeds: the browser tests are then skipped.
set -eu
cd "$(dirname "$0")"
if cmp -s package-lock.json node_modules/installed; then
    exit 0
fi

give_up() { # give_up REASON
    echo "tests/web: $1; the browser tests will be skipped"
    exit 0
}

command -v npm >/dev/null || give_up "npm is not installed"
registry=$(npm config get registry --loglevel=error)
if ! message=$(timeout 120 npm ci --ignore-scripts --no-audit --no-fund --prefer-offline --loglevel=error \
    --fetch-timeout=20000 --fetch-retries=1 --fetch-retry-mintimeout=1000 2>&1); then
    reason=$(echo "${message:-no answer in time}" | head -n 1)
    give_up "npm cannot fetch playwright-core and axe-core from $registry: $reason"
fi
cp package-lock.json node_modules/installed
