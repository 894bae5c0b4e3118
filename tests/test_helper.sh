#!/bin/sh
# Does plum use the helper next to it if it may, and only one of its own sources?
#
# usage: test_helper.sh PLUM        skipped (77) where no helper was built
set -eu
plum=$(realpath "$1")
helper=$(dirname "$plum")/plum-helper
if [ ! -e "$helper" ]; then
    echo "skipped: this build has no plum-helper"
    exit 77
fi
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
cd "$scratch"
cp "$plum" plum
failed=0

works() { ./plum sandbox >printed 2>&1; }

expect() { # expect yes|no WHAT : does `plum sandbox` work?
    if works; then is=yes; else is=no; fi
    [ "$is" = "$1" ] || {
        echo "$2: plum sandbox works: $is"
        failed=1
    }
}

replace() { # replace OLD NEW FILE : text of the same length
    grep -q "$1" "$3" || {
        echo "$3 does not contain $1"
        exit 1
    }
    LC_ALL=C sed -i "s|$1|$2|g" "$3"
}

expect yes "without a helper"
cp printed without
cp "$helper" plum-helper
expect yes "with the helper"
diff without printed || failed=1

# A program that does nothing shows whether it was used.
cp /bin/true plum-helper
expect no "with another program as the helper"
chmod o+w plum-helper
expect yes "with a helper that every user can write"
chmod o-w,g+w plum-helper
expect yes "with a helper that a group can write"
chmod g-w plum-helper
mv plum-helper true
ln -s true plum-helper
expect yes "with a link as the helper"
if [ "$(id -u)" = 0 ]; then
    rm plum-helper
    mv true plum-helper
    chown 12345 plum-helper
    expect yes "with the helper of another user"
fi

# One of other sources could not make a sandbox: plum must be its own helper.
rm -f plum-helper
cp "$helper" plum-helper
replace /dev/full /dev/fuXX plum-helper
works && cmp -s printed without && grep -q 'namespaces *yes' without && {
    echo "the changed helper makes the same sandbox"
    failed=1
}
sources=$(sed -n 's/.*SANDBOX_SOURCES "\(.*\)"/\1/p' "$(dirname "$plum")/generated/sandbox_sources.h")
replace "$sources" 0123456789abcdef plum-helper
expect yes "with a helper of other sources"
diff without printed || failed=1
exit "$failed"
