#!/bin/sh
# make: how the files of this folder were made, with the plum of commit 8a85a35 as the user `ta` on a host `lab`.
#
# usage: make.sh       in an empty folder with finished.ini, interrupted.ini, qualifying.ini and list.csv, plum in PATH. files.zip then
#                      got programs/, in/, class.files/ and interrupted.queue/, without the program that was built in class.files/1002.
set -eu
kit() { plum new reversi "$1" kit --team "$2" >/dev/null; }

# Programs of the rosters. Team 4 tries a corner and leaves at its ninth move; a student of team 5 has not finished.
mkdir programs
kit c 1; mkdir programs/1; mv kit/Sample.c kit/STcpClient.h programs/1/; rm -r kit
kit python 2; mkdir programs/2; mv kit/Sample.py kit/STcpClient.py programs/2/; rm -r kit
kit python 4; mkdir programs/4; mv kit/Sample.py kit/STcpClient.py programs/4/; rm -r kit
python3 - <<'P'
p = 'programs/4/Sample.py'
t = open(p).read()
t = t.replace("def GetStep(", "turns = []\n\n\ndef GetStep(board, is_black):\n    turns.append(1)\n    if len(turns) == 3:\n        print('team 4 tries a corner', file=sys.stderr)\n        return (0, 0) if TRIES else OwnStep(board, is_black)\n    if len(turns) == 9:\n        sys.exit(3)\n    return OwnStep(board, is_black)\n\n\ndef OwnStep(", 1)
open(p, 'w').write("import sys\nTRIES = True\n" + t)
P
mkdir programs/5; printf 'int main(void) { return missing; }\n' >programs/5/Broken.c

plum tournament qualify finished.ini --db finished.db || true
sed -i 's/TRIES = True/TRIES = False/; s/== 9/== 99/' programs/4/Sample.py
plum tournament qualify finished.db --again 4 --reason 'the kit was wrong'
plum tournament run finished.ini --db finished.db
plum tournament replay finished.db 3 --reason 'a cable'
plum tournament resume finished.db
plum tournament annul finished.db 2 --reason 'the power failed'
plum tournament disqualify finished.db 7 --reason 'attacked the judge'
plum tournament note finished.db 3 --plagiarism yes --reason 'the source of team 9 of last year'

interrupt() { # DATABASE PATTERN COUNT
    plum tournament run "${1%.db}.ini" --db "$1" & run=$!
    while [ "$(plum tournament status "$1" --json 2>/dev/null | grep -oE "$2" | wc -l)" -lt "$3" ]; do sleep 0.02; done
    kill -INT $run; wait $run || true
}
sed -i 's/TRIES = False/TRIES = True/; s/== 99/== 9/' programs/4/Sample.py
interrupt interrupted.db '"played_games": [1-9][2-9]' 1
interrupt qualifying.db '"black": ' 5

# a class
mkdir in
kit python 1; (cd kit; zip -qX ../in/'Ada_1001_assignsubmission_file_Team_1.zip' Sample.py STcpClient.py); rm -r kit
kit c 2; mkdir -p 'in/Bo_1002_assignsubmission_file_'; cp kit/Sample.c kit/STcpClient.h 'in/Bo_1002_assignsubmission_file_/'; rm -r kit
kit python 3; cp kit/Sample.py in/Cy_1003_assignsubmission_file_final.py; cp kit/STcpClient.py in/Cy_1003_assignsubmission_file_STcpClient.py; rm -r kit
echo 'int main( {' >in/Di_1004_assignsubmission_file_Team_4.cpp
printf 'Rar!' >in/Ed_1005_assignsubmission_file_Team_5.rar
plum tournament init reversi in -o class.ini --students list.csv --deadline '2021-05-02 23:59 +00:00' --json >init.json
plum tournament check class.ini || true

mkdir expected
for db in finished interrupted qualifying; do
    python3 -c "import sqlite3; base = sqlite3.connect('$db.db'); base.execute('VACUUM'); base.execute('PRAGMA wal_checkpoint(TRUNCATE)')"
    for c in standings crosstable games status; do plum tournament $c $db.db --json >expected/$db.$c.json; done
    plum tournament export $db.db -o expected/$db.txt
done
plum tournament grade finished.db -o expected/finished.csv
rm -r expected/finished.feedback expected/finished.json
plum tournament check class.ini --json >expected/class.json || true

# records
plum match reversi --black 'builtin:nodes=50' --white 'tcp:4:python3 programs/4/Sample.py' --games 2 --record match.txt --time-limit 2 || true
plum selfplay reversi --games 5 --player builtin:nodes=200 --record selfplay.txt
# workers
plum tournament worker-file interrupted.db --output . --workers 127.0.0.1:7586
plum replay match.txt >expected/match.txt
plum replay match.txt --json >expected/match.json
