#!/bin/sh
# own_port: runs a test whose programs connect to port 8888, so that no other test is in the way.
#
# usage: own_port.sh PLUM [--outside] COMMAND...     --outside: programs without a sandbox connect as well
#
# In a strict sandbox every program has a port 8888 of its own. In a partial one, and outside, all
# use that of the machine: then the test gets a network of its own, and where that is not possible
# it waits for its turn. PLUM_TEST_SANDBOX, strict or partial, tells the test what it can expect.
set -eu
plum=$1
shift
inside=yes
if [ "$1" = --outside ]; then
    inside=no
    shift
fi
export PLUM_TEST_SANDBOX=partial
if (cd / && "$plum" match reversi --black ugi:true --white random --games 1 --no-swap \
    --sandbox strict) >/dev/null 2>&1; then
    PLUM_TEST_SANDBOX=strict
    [ $inside = no ] || exec "$@"
fi
if unshare -n true 2>/dev/null; then
    exec unshare -n python3 -B "$(dirname "$0")/own_network.py" "$@"
fi
exec 9<"$plum"
flock 9
if ! python3 -c 'import socket; socket.create_server(("127.0.0.1", 8888))' 2>/dev/null; then
    echo "skipped: port 8888 is in use by another program, and there are no network namespaces here"
    exit 77
fi
"$@" 9<&-
