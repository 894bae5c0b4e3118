#!/bin/sh
# fonts: makes the fonts of the pages, web/fonts/*.woff2, from fonts of Debian 12.
#
# usage: tools/fonts.sh [ROOT]
#
# sans.woff2 is Inter, from regular to bold, with the letters of western European languages; its
# figures have one width where the pages ask for that. serif.woff2, for headings, is Gentium Plus
# Bold with the characters of English. ROOT is where the packages are unpacked (/). The same
# packages make the same bytes. Refuses to write more than 25 KB.
#
# The results are in the repository: building needs neither this script nor these packages
# (fonts-inter-variable, fonts-sil-gentiumplus, python3-fonttools, python3-brotli).
set -eu
root=${1:-/}
cd "$(dirname "$0")/../web/fonts"
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

subset() { # subset FONT CHARACTERS FEATURES NAME
    # The names in the originals are reserved; style.css calls the results Plum Sans and Plum Serif.
    /usr/bin/python3 -m fontTools.subset "$1" --unicodes="$2" --layout-features="$3" --name-IDs= --no-hinting \
        --drop-tables+=DSIG,STAT,Silf,Sill,Silt,Glat,Gloc,Feat --flavor=woff2 --output-file="$scratch/$4"
}

/usr/bin/python3 -m fontTools.varLib.instancer -q --no-recalc-timestamp -o "$scratch/sans.ttf" \
    "$root/usr/share/fonts/truetype/inter-vf/Inter-roman.var.ttf" wght=400:700
subset "$scratch/sans.ttf" \
    20-7E,A0,AB,B0,B7,BB,BD,C0-FF,2013,2014,2018,2019,201C,201D,2026,2039,203A,2212 kern,tnum sans.woff2
subset "$root/usr/share/fonts/truetype/gentiumplus/GentiumPlus-Bold.ttf" \
    20-5B,5D,5F,61-7A,2013,2019,2026 kern serif.woff2

bytes=$(cat "$scratch"/*.woff2 | wc -c)
if [ "$bytes" -gt 25000 ]; then
    echo "fonts: $bytes bytes; the limit is 25000: leave out some characters" >&2
    exit 1
fi
cp "$scratch"/*.woff2 .
echo "wrote web/fonts/sans.woff2 and serif.woff2: $bytes bytes"
