#!/bin/sh
# check_style: what CONTRIBUTING.md asks of every file and a machine can see.
#
# usage: tools/check_style.sh [ROOT]        ROOT holds src/; default: this project
set -eu
root=${1:-$(dirname "$0")/..}
cd "$root"

files() { # files PATTERN... : the project's files with such names, one a line
    names=
    for pattern in "$@"; do names="$names${names:+ -o }-name $pattern"; done
    set -f
    # shellcheck disable=SC2086 # words on purpose
    find . \( -name .git -o -name 'build*' -o -name node_modules -o -name corpus \) -prune \
        -o -type f \( $names \) -print | sed 's|^\./||' | LC_ALL=C sort
    set +f
}

check_c() {
    files '*.c' '*.h' | xargs -r awk '
    function refuse(why) { printf "%s:%d: %s\n", FILENAME, FNR, why; bad = 1 }

    # The line without comments and without what is in quotes.
    function code(line,    out, c, i, quote) {
        out = ""; quote = ""
        for (i = 1; i <= length(line); i++) {
            c = substr(line, i, 1)
            if (in_comment) {
                if (substr(line, i, 2) == "*/") { in_comment = 0; i++ }
            } else if (quote != "") {
                if (c == "\\") i++
                else if (c == quote) quote = ""
            } else if (substr(line, i, 2) == "/*") { in_comment = 1; i++; out = out " " }
            else if (substr(line, i, 2) == "//") break
            else if (c == "\"" || c == "\047") { quote = c; out = out " " }
            else out = out c
        }
        return out
    }

    function calls(text, names) { return (" " text) ~ ("[^A-Za-z0-9_>.](" names ")[ ]*\\(") }

    function end_of_file() {
        if (lines > limit && !has_reason) {
            printf "%s: %d lines; past %d its head must say why (\"Long because ...\")\n", file, lines, limit
            bad = 1
        }
    }

    FNR == 1 {
        if (file) end_of_file()
        file = FILENAME; in_comment = 0; in_head = 1; has_reason = 0
        limit = file ~ /\.h$/ ? 150 : 800
        if (file ~ /\.h$/ && $0 !~ /^\/\*/) refuse("a header begins with a comment on its purpose")
    }
    {
        lines = FNR
        if (in_head && /[Ll]ong because/) has_reason = 1
        text = code($0)
        if (text ~ /[^ ]/) in_head = 0
        if (/\t/) refuse("a tab")
        if (/^[ ]*#[ ]*include[ ]*["<]\//) refuse("an include from outside the project")
        if (calls(text, "gets|sprintf|vsprintf|strtok|atoi|atol|atoll|atof|rand|srand|system|alloca"))
            refuse("banned function")
        if (file !~ /^tests\/kit\/sources\// && calls(text, "strcpy|stpcpy|strcat"))
            refuse("banned function: use snprintf, or memcpy with a known length")
        if (file ~ /^src\// && file !~ /^src\/(cli|games\/[^\/]*\/(kit|unpack))\// &&
            (calls(text, "exit|_Exit|quick_exit|printf|vprintf|puts|putchar|perror") || (" " text " ") ~ /[^A-Za-z0-9_]stdout[^A-Za-z0-9_]/))
            refuse("only src/cli may exit or write to stdout")
    }
    END { if (file) end_of_file(); exit bad }'
}

check_text() {
    files '*.c' '*.h' '*.md' '*.sh' '*.txt' '*.cmake' '*.js' '*.mjs' '*.css' '*.html' '*.py' Makefile run .clang-tidy | xargs -r awk '
    function refuse(why) { printf "%s:%d: %s\n", FILENAME, FNR, why; bad = 1 }
    / $/ { refuse("a space at the end of the line") }
    /^(<<<<<<<|>>>>>>>) / { refuse("a conflict of two branches") }
    /(TO)DO|(FIX)ME|(X)XX:/ { refuse("unfinished: do it or leave it out") }
    /(^|[^A-Za-z0-9_.\/-])\/(home|root|work|Users)\// { refuse("a path that exists on one machine only") }
    END { exit bad }'
}

# A type name means one thing in the whole program; the kits are programs of their own.
check_types() {
    find src -name kit -prune -o -name '*.[ch]' -print | LC_ALL=C sort | xargs -r awk '
    /^(struct|enum|union) [a-z_0-9]+ \{/ {
        if ($2 in place) { printf "%s:%d: %s %s is also in %s\n", FILENAME, FNR, $1, $2, place[$2]; bad = 1 }
        else place[$2] = FILENAME
    }
    END { exit bad }'
}

failed=0
check_c >&2 || failed=1
check_types >&2 || failed=1
check_text >&2 || failed=1
exit $failed
