#!/bin/sh
# bids.sh: the table of chances in the game's about.c, from self-play on many cores.
#
# usage: tools/lab/bids.sh BIDS NODES SECONDS PROCESSES [SEED]
#
# BIDS is the program made of bids.c. Prints a line for each payment: the rows of the C table,
# in tenths of a percent for Black and White, made to fall with the payment (neighbours that
# rise are averaged), and after it the games and the percentages as measured.
set -eu
bids=$1 nodes=$2 seconds=$3 processes=$4 seed=${5:-1}
results=$(mktemp -d)
trap 'rm -rf "$results"' EXIT
i=0
while [ "$i" -lt "$processes" ]; do
    "$bids" "$nodes" "$seconds" $((seed * 1000 + i)) >"$results/$i" &
    i=$((i + 1))
done
wait
cat "$results"/* | awk '
{ if (!(($1, $2) in games) && $1 == "black") payment[++rows] = $2
  games[$1, $2] += $3; points[$1, $2] += $4 }
# Pool adjacent violators: the closest falling sequence.
function fall(colour,    i, blocks, sum, weight, size) {
    blocks = 0
    for (i = 1; i <= rows; i++) {
        blocks++
        sum[blocks] = points[colour, payment[i]] / 2; weight[blocks] = games[colour, payment[i]]; size[blocks] = 1
        while (blocks > 1 && sum[blocks] * weight[blocks - 1] > sum[blocks - 1] * weight[blocks]) {
            sum[blocks - 1] += sum[blocks]; weight[blocks - 1] += weight[blocks]; size[blocks - 1] += size[blocks]
            blocks--
        }
    }
    i = 0
    for (b = 1; b <= blocks; b++)
        for (j = 0; j < size[b]; j++) fitted[colour, ++i] = int(1000 * sum[b] / weight[b] + 0.5)
}
END {
    fall("black"); fall("white")
    for (i = 1; i <= rows; i++) {
        p = payment[i]
        printf "    {%d, {%d, %d}}, /* %d and %d games: %.1f %%, %.1f %% */\n", p, fitted["black", i],
            fitted["white", i], games["black", p], games["white", p],
            50 * points["black", p] / games["black", p], 50 * points["white", p] / games["white", p]
    }
}'
