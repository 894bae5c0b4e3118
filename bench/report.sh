#!/bin/sh
# What a report costs: tournaments of random players, everybody twice against everybody. The size and the time for a game are
# nearly the same in every line: both grow with the number of games. The size of the page is that of the teams.
# Usage: report.sh BUILD_FOLDER [TEAMS...]
set -eu
build=$(cd "$1" && pwd)
plum=$build/plum
shift
[ $# -gt 0 ] || set -- 50 100 200
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
cd "$folder"

# The least CPU microseconds of three runs of a command.
best_us() {
    least=
    for _ in 1 2 3; do
        spent=$("$build/bench/bench_cost" "$@" 2>&1 >out)
        spent=${spent%.*}
        if [ -z "$least" ] || [ "$spent" -lt "$least" ]; then
            least=$spent
        fi
    done
    echo "$least"
}

bytes_of() { # bytes_of FILES...
    cat "$@" | wc -c
}

echo "teams   games  files  index.html   all MB  bytes a game      s  us a game"
for teams in "$@"; do
    { printf '[tournament]\ngame = reversi\n'; seq "$teams" | sed 's/.*/[team &]\nplayer = random:seed=&/'; } >class.ini
    rm -rf class.db* report
    "$plum" tournament run class.ini >out
    spent=$(best_us "$plum" tournament report class.db -o report)
    index=$(bytes_of report/index.html)
    all=$(bytes_of report/*.* report/data-*/*)
    find report -type f | wc -l | awk -v teams="$teams" -v index_bytes="$index" -v all="$all" -v spent="$spent" '{
        games = teams * (teams - 1)
        printf "%5d %7d %6d %11d %8.1f %13d %6.2f %10d\n", teams, games, $1, index_bytes, all / 1e6, all / games, spent / 1e6, spent / games
    }'
done
