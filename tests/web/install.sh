#!/bin/sh
# install: the npm packages of the browser tests, as package-lock.json names them, into
# node_modules beside this file. Does nothing when they are there.
set -eu
cd "$(dirname "$0")"
if cmp -s package-lock.json node_modules/installed; then
    exit 0
fi
npm ci --ignore-scripts --no-audit --no-fund --loglevel=error
cp package-lock.json node_modules/installed
