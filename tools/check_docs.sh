#!/bin/sh
# check_docs: the documents tell the truth.
#
# usage: tools/check_docs.sh PLUM [ROOT]        PLUM: the program to run; ROOT: default this project
#
# Runs every ```console block of README.md and docs/*.md: a line `$ COMMAND` is
# executed (a final \ continues it on the next line), the lines after it are what
# it must print, stdout and stderr together; a line `…` means any lines.
# The commands of one document share a shell and a scratch folder, in which docs/
# is that of the project.
# Also checks that every relative link in a Markdown file leads to a file, and its #anchor to a
# heading there.
set -eu
plum=$(realpath "$1")
if [ ! -x "$plum" ]; then
    echo "check_docs: there is no program $1" >&2
    exit 2
fi
# shellcheck source=tools/scratch.sh
. "$(dirname "$0")/scratch.sh"
cd "${2:-$(dirname "$0")/..}"
root=$PWD
failed=0

# Writes N.command, N.wanted and N.line for each command of the document.
split_document() { # split_document FILE FOLDER
    awk -v folder="$2" '
    function start(text) {
        n++
        name = folder "/" n
        print FNR > (name ".line"); close(name ".line")
        printf "" > (name ".wanted")
        print text > (name ".command")
        continued = text ~ /\\$/
    }
    function finish() { if (name) { close(name ".command"); close(name ".wanted") } name = "" }

    /^```console$/ { in_block = 1; next }
    in_block && /^```/ { finish(); in_block = 0; next }
    !in_block { next }
    continued { print > (name ".command"); continued = /\\$/; next }
    /^\$ / { finish(); start(substr($0, 3)); next }
    !name { printf "%s:%d: a console block begins with \"$ \"\n", FILENAME, FNR; bad = 1; next }
    { print > (name ".wanted") }
    END { exit bad }' "$1"
}

# Does the output match, line by line, where … in what is wanted matches any lines?
matches() { # matches WANTED GOT
    awk '
    function same(w, g) {
        for (; w <= wants; w++) {
            if (want[w] == "…") {
                for (; g <= gots + 1; g++) if (same(w + 1, g)) return 1
                return 0
            }
            if (g > gots || want[w] != got[g]) return 0
            g++
        }
        return g > gots
    }
    FILENAME == ARGV[1] { want[++wants] = $0; next }
    { got[++gots] = $0 }
    END { exit !same(1, 1) }' "$1" "$2"
}

run_document() { # run_document FILE
    parts=$scratch/parts
    rm -rf "$parts" "$scratch/cwd"
    mkdir "$parts" "$scratch/cwd"
    ln -s "$root/docs" "$scratch/cwd/docs"
    split_document "$1" "$parts" || return 1
    (
        cd "$scratch/cwd"
        export LC_ALL=C.UTF-8
        ok=0 status=0 i=1
        while [ -e "$parts/$i.command" ]; do
            set +e
            (exit $status)
            eval "$(cat "$parts/$i.command")" >"$parts/$i.got" 2>&1 </dev/null
            status=$?
            set -e
            [ "${PLUM_TEST_SANDBOX:-}" = strict ] || sed -i '/: the sandbox is not complete here: /d' "$parts/$i.got"
            if ! matches "$parts/$i.wanted" "$parts/$i.got"; then
                echo "$1:$(cat "$parts/$i.line"): this command prints something else (-: document, +: now)"
                sed 's/^/    $ /' "$parts/$i.command"
                diff -U 100 "$parts/$i.wanted" "$parts/$i.got" | tail -n +4 | sed 's/^/    /'
                ok=1
            fi
            i=$((i + 1))
        done
        exit $ok
    )
}

anchors() { # anchors FILE : the anchor of every heading, as GitHub makes them
    awk '
    /^```/ { in_code = !in_code }
    in_code || !/^#+ / { next }
    {
        sub(/^#+ +/, "")
        gsub(/\]\([^)]*\)/, "")
        anchor = tolower($0)
        gsub(/[][!-,.\/:-@\\^`{|}~]/, "", anchor)
        gsub(/ /, "-", anchor)
        print anchor (seen[anchor]++ ? "-" seen[anchor] - 1 : "")
    }' "$1"
}

check_links() { # check_links FILE
    awk '
    /^```/ { in_code = !in_code }
    in_code { next }
    {
        line = $0
        gsub(/`[^`]*`/, "", line)
        while (match(line, /\]\([^)]*\)|src="[^"]*"/)) {
            link = substr(line, RSTART, RLENGTH)
            line = substr(line, RSTART + RLENGTH)
            gsub(/^\]\(|^src="|[)"]$/, "", link)
            if (link != "" && link !~ /^[a-z]+:/) print FNR, link
        }
    }' "$1" | {
        ok=0
        while read -r line link; do
            target=${link%%#*}
            target=${target:+$(dirname "$1")/$target}
            target=${target:-$1}
            case $link in
            *.md#* | '#'*) anchor=${link#*#} ;;
            *) anchor='' ;;
            esac
            if [ ! -e "$target" ]; then
                echo "$1:$line: the link leads nowhere: $link"
                ok=1
            elif [ -n "$anchor" ] && ! anchors "$target" | grep -qxF -- "$anchor"; then
                echo "$1:$line: the link leads to no heading: $link"
                ok=1
            fi
        done
        exit $ok
    }
}

for document in README.md docs/*.md; do
    [ ! -e "$document" ] || run_document "$document" >&2 || failed=1
done
cd "$root"
for document in $(find . \( -name .git -o -name 'build*' -o -name node_modules \) -prune -o -name '*.md' -print | LC_ALL=C sort); do
    check_links "$document" >&2 || failed=1
done
exit $failed
