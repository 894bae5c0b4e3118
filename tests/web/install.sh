#!/bin/sh
# install: fetches the two npm packages of the browser tests, once, into node_modules beside this
# file. They have no dependencies of their own, so plain archives with known sums are enough.
set -eu
cd "$(dirname "$0")"

fetch() { # fetch NAME VERSION SHA512
    folder=node_modules/$1
    if grep -qs "\"version\": \"$2\"" "$folder/package.json"; then
        return
    fi
    rm -rf "$folder"
    mkdir -p "$folder"
    curl -fsSL -o "$folder.tgz" "https://registry.npmjs.org/$1/-/$1-$2.tgz"
    echo "$3  $folder.tgz" | sha512sum -c --quiet
    tar -xzf "$folder.tgz" -C "$folder" --strip-components=1
    rm "$folder.tgz"
}

fetch playwright-core 1.65.0 \
    bcd48a807e98aad37b71d4ff2f7df8ce8d1af98c24ae989ccab1c995658f226fd0f8d9f64962278a5d35a13d266eef7a5381a0a11b426100fd0b3250823bbe94
fetch axe-core 4.14.0 \
    f564d9c448ec67b6f5dd31fc24f99b576cfc0876e5f34ff6866dd73c41b826035d40b2bcd480515e64b11df3003a44aa41e4714ffd1dc0d0f3d863a6df3ce971
