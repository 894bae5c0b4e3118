#!/bin/bash
# inside: one run of `make test-fresh`, inside the bare root.
#
# usage: tools/fresh/inside.sh RUN      RUN: a, b or c; plum.bundle is next to this script
#
# Installs git and make, clones, and does what the README says: `make run`, whose page is
# fetched, and `make test`. What differs between the runs is in run_a, run_b and run_c.
set -eu
here=$(pwd)

say() { echo "== run ${run^^}: $*"; }

fail() {
    say "FAILED: $*" >&2
    exit 1
}

# timed WHAT COMMAND...
timed() {
    local what=$1 start=$SECONDS
    shift
    "$@" || fail "$what ended with status $?"
    say "$what took $((SECONDS - start)) s"
}

prepare() {
    export DEBIAN_FRONTEND=noninteractive
    apt-get -qq update
    apt-get -qq -o Dpkg::Use-Pty=0 install -y --no-install-recommends git make >/dev/null 2>&1
    say "Debian $(cat /etc/debian_version), $(nproc) cores, git and make"
}

# clone FOLDER [COMMAND THAT BECOMES ANOTHER USER...]
clone() {
    local folder=$1
    shift
    "$@" mkdir -p "$(dirname "$folder")"
    "$@" git clone -q "$here/plum.bundle" "$folder"
    cd "$folder"
}

# What the server answers to GET / at an address http://HOST:PORT/.
fetch() {
    local host_port=${1#http://}
    host_port=${host_port%%/*}
    exec 3<>"/dev/tcp/${host_port%:*}/${host_port#*:}"
    printf 'GET / HTTP/1.1\r\nHost: %s\r\nConnection: close\r\n\r\n' "$host_port" >&3
    cat <&3
    exec 3<&-
}

# `make run`, until its page was fetched; Ctrl-C ends it.
make_run() {
    local log=$here/run.log server address='' page start=$SECONDS
    setsid env --default-signal=INT "$@" make run >"$log" 2>&1 &
    server=$!
    while [ -z "$address" ] && kill -0 "$server" 2>/dev/null; do
        sleep 1
        address=$(sed -n 's/.*\(http:[^ ]*\).*/\1/p' "$log" | head -n 1)
    done
    if [ -z "$address" ]; then
        cat "$log" >&2
        fail "make run ended before it printed an address"
    fi
    page=$(fetch "$address" | tr -d '\0')
    [[ $page == HTTP/1.1\ 200* ]] || fail "GET $address: ${page%%$'\r'*}"
    [[ $page == *"<title>"*Plum* ]] || fail "the page at $address is not Plum's"
    kill -INT -- "-$server"
    wait "$server" || true
    if kill -0 -- "-$server" 2>/dev/null; then
        fail "make run leaves processes after Ctrl-C"
    fi
    say "make run served $address after $((SECONDS - start)) s"
}

# Others hold the ports that Plum would take first.
take_ports() {
    # A port may be in use by another program, which may give it up later.
    perl -MIO::Socket::INET -e '
        my %held;
        while (1) {
            $held{$_} //= IO::Socket::INET->new(LocalAddr => "0.0.0.0", LocalPort => $_, Listen => 1) for @ARGV;
            sleep 1;
        }' 8080 8888 &
    while ! { exec 4<>/dev/tcp/127.0.0.1/8080 && exec 5<>/dev/tcp/127.0.0.1/8888; } 2>/dev/null; do
        sleep 0.1
    done
    exec 4<&- 5<&-
    say "ports 8080 and 8888 are taken"
}

run_a() {
    umask 077
    take_ports
    clone "$HOME/plum"
    say "root, umask 077, in $(pwd), $(stat -c %A "$HOME")"
    make_run
    timed "make deps-test" make -s deps-test
    timed "make test" make test
}

run_b() {
    local user=student home told status=0 become
    useradd --create-home "$user"
    home=$(getent passwd "$user" | cut -d: -f6)
    become=(runuser -u "$user" -- env "HOME=$home" "USER=$user")
    clone "$home/Künstliche Intelligenz 人工智慧/plum" "${become[@]}"
    told=$("${become[@]}" make run 2>&1) || status=$?
    [ "$status" != 0 ] || fail "make run did not ask for packages"
    [[ $told == *"apt-get install"* ]] || fail "make run does not say what to install: $told"
    say "make run on the bare machine says: $told"
    git clone -q "$here/plum.bundle" "$HOME/plum"
    timed "make deps-test by root" make -s -C "$HOME/plum" deps-test
    say "an ordinary user in $(pwd)"
    make_run "${become[@]}"
    timed "make test" "${become[@]}" make test
}

run_c() {
    export npm_config_registry=http://127.0.0.1:9/
    clone /srv/plum
    unshare --user true 2>/dev/null && fail "user namespaces are not off"
    say "a plain chroot, no user namespaces, npm's registry unreachable"
    make_run
    timed "make deps-test" make -s deps-test
    timed "make test" make test
}

run=$1
prepare
"run_$run"
say "passed"
