#!/bin/sh
# test_summary: how long the test suites took, which tests were slow, which passed only alone, which were skipped and why.
#
# usage: tools/test_summary.sh BUILD...
#
# BUILD is a build folder: BUILD/began contains the second in which its suite began, and
# BUILD/junit.xml, which ctest wrote last, has the tests. Without tests, BUILD/ended is the end.
# A test that is skipped, or a part of one, prints a line "skipped: REASON". A program on cmocka
# counts the cases it skipped, and says in a line that begins with # what it missed. BUILD/skipped has what lint left
# out, a reason a line.
set -eu

for folder in "$@"; do
    suite=${folder##*build-}
    end=$folder/junit.xml
    [ -f "$end" ] || end=$folder/ended
    echo "suite $suite $(cat "$folder/began") $(stat -c %Y "$end")"
    [ ! -f "$folder/junit.xml" ] || cat "$folder/junit.xml"
    [ ! -f "$folder/skipped" ] || sed 's/^/left out: /' "$folder/skipped"
done | awk '
function attribute(name,    text) {
    text = $0
    if (!sub(".*[ \t]" name "=\"", "", text)) return ""
    sub(/".*/, "", text)
    return text
}

function plain(text) {
    gsub(/&lt;/, "<", text); gsub(/&gt;/, ">", text); gsub(/&quot;/, "\"", text)
    gsub(/&apos;/, "\047", text); gsub(/&amp;/, "\\&", text)
    return text
}

function note_skipped(how_many, why) {
    skips += how_many
    skipped[++notes] = suite " " test ": " (why ? why : "it does not say why")
}

function end_of_test() {
    if (cases) note_skipped(cases, cases " of its cases: " missed)
    else if (is_skipped && !told) note_skipped(1, "")
    test = ""
}

/^suite / {
    suite = $2
    seconds[++suites] = $4 - $3
    if (!first || $3 < first) first = $3
    if ($4 > last) last = $4
    suite_names[suites] = suite
    next
}
/^left out: / { test = "lint"; note_skipped(1, substr($0, 11)); test = ""; next }
/^\ttime="/ { sub(/.*="/, ""); tested[suites] = int($0); next }
/^\t<testcase / {
    test = attribute("name")
    is_skipped = attribute("status") == "notrun"
    if (attribute("status") == "fail") alone[++alones] = suite " " test
    told = cases = 0
    missed = ""
    count[suites]++
    tests++
    time[tests] = attribute("time")
    label[tests] = suite " " test
    next
}
/^\t<\/testcase>/ { end_of_test(); next }
test { line = plain($0); sub(/^\t\t<system-out>/, "", line); sub(/<\/system-out>$/, "", line) }
test && line ~ /^# / { missed = substr(line, 3) }
test && line ~ /^\[  SKIPPED \] [0-9]+ test/ { split(line, words); cases = words[4] }
test && sub(/.*skipped: /, "", line) {
    note_skipped(1, line)
    told = 1
}

END {
    printf "%d seconds:", last - first # suites overlap
    for (i = 1; i <= suites; i++) {
        printf "%s %s %d", (i > 1 ? "," : ""), suite_names[i], seconds[i]
        if (!count[i]) continue
        build = seconds[i] - tested[i] # 0, or 1 by rounding: it was built beside another suite
        printf " (%s%d tests %d)", (build > 1 ? "build " build ", " : ""), count[i], tested[i]
    }
    print "\nslowest tests:"
    for (n = 1; n <= 10 && n <= tests; n++) {
        best = 0
        for (i = 1; i <= tests; i++) if (!(i in shown) && (!best || time[i] + 0 > time[best] + 0)) best = i
        shown[best] = 1
        printf "  %6.1f s  %s\n", time[best], label[best]
    }
    if (alones) printf "failed beside other tests, passed alone: %d\n", alones
    for (i = 1; i <= alones; i++) print "  " alone[i]
    printf "skipped: %d\n", skips
    for (i = 1; i <= notes; i++) print "  " skipped[i]
}'
