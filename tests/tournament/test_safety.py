"""A full disk, a broken file, a second run: a clear error, and never a wrong table."""
import os
import resource
import shutil
import sqlite3
import subprocess
import time

from support import Failure, Folder, Settings, Skip, equal, main, randoms, require, roster

TEXT = roster("hop", randoms(6), seed=3)


def _whole_table():
    with Folder() as folder:
        folder.write("t.ini", TEXT)
        folder.plum("run", "t.ini")
        return folder.table("t.db")


def _limited(bytes_):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))
    return limit


def a_file_that_may_not_grow_is_an_error_and_resume_goes_on():
    whole = _whole_table()
    failures = 0
    for kilobytes in list(range(4, 100, 16)) + list(range(100, 500, 100)):
        with Folder() as folder:
            folder.write("t.ini", TEXT)
            process = folder.start("run", "t.ini", preexec_fn=_limited(kilobytes * 1024))
            out, err = process.communicate(timeout=60)
            require(process.returncode in (0, 3), "%d kB: exit code %d: %s", kilobytes,
                    process.returncode, err)
            if process.returncode == 0:
                equal(folder.table("t.db"), whole, "the table with %d kB" % kilobytes)
                continue
            failures += 1
            equal(out, "", "standard output of a failed run")
            require("t.db" in err and "cannot" in err, "%d kB: unclear: %s", kilobytes, err)
            begun = subprocess.run([Settings.plum, "tournament", "status", "t.db"], check=False,
                                   cwd=folder.path, capture_output=True).returncode == 0
            if begun:
                require("plum tournament resume t.db" in err, "no way on: %s", err)
            folder.plum(*(["resume", "t.db"] if begun else ["run", "t.ini"]))
            equal(folder.table("t.db"), whole, "the table after %d kB" % kilobytes)
    require(failures >= 4, "only %d runs failed", failures)


def a_full_disk_is_an_error_and_resume_goes_on():
    whole = _whole_table()
    with Folder() as folder:
        script = ("mount -t tmpfs -o size=300k tmpfs disk && cp t.ini disk/ && cd disk && "
                  "{ \"$1\" tournament run t.ini; echo $? >../code; cd ..; cp disk/t.db* .; }")
        os.mkdir(folder.file("disk"))
        folder.write("t.ini", TEXT)
        run = subprocess.run(["unshare", "-rm", "sh", "-c", script, "sh", Settings.plum],
                             cwd=folder.path, check=False, capture_output=True, text=True)
        if not os.path.exists(folder.file("code")):
            raise Skip("no file system can be mounted here: %s" % run.stderr.strip())
        with open(folder.file("code"), encoding="ascii") as code:
            equal(code.read().strip(), "3", "exit code on a full disk: " + run.stderr)
        require("full" in run.stderr or "space" in run.stderr, "unclear: %s", run.stderr)
        folder.plum("resume", "t.db")
        equal(folder.table("t.db"), whole, "the table")


def a_second_run_on_one_database_is_refused():
    with Folder() as folder:
        folder.write("t.ini", roster("reversi", ["builtin:nodes=3000"] * 5))
        first = folder.start("run", "t.ini")
        while not _is_running(folder):
            require(first.poll() is None, "the first has ended")
            time.sleep(0.01)
        os.symlink("t.db", folder.file("link.db"))
        for words in (["resume", "t.db"], ["resume", "link.db"],
                      ["annul", "t.db", "1", "--reason", "x"],
                      ["withdraw", "t.db", "1", "--reason", "x"]):
            _, err = folder.plum(*words, code=3)
            require("another plum" in err, "unclear: %s", err)
        folder.plum("run", "t.ini", code=2)
        folder.plum("backup", "t.db", "-o", "copy.db")
        first.terminate()
        first.communicate()
        equal(first.returncode, 130, "exit code of the first")
        require(not os.path.exists(folder.file("t.db-lock")), "the lock is left behind")
        equal(folder.json("status", "copy.db")["state"], "stopped", "the state of the copy")
        folder.plum("annul", "t.db", "1", "--reason", "x", code=0 if _has_games(folder) else 1)


def _is_running(folder):
    status = subprocess.run([Settings.plum, "tournament", "status", "t.db"], check=False,
                            cwd=folder.path, capture_output=True, text=True)
    return status.returncode == 0 and "running" in status.stdout


def _has_games(folder):
    return folder.json("games", "t.db")[0]["status"] == "played"


def _damage(folder, change):
    """A fresh finished tournament with a damaged file."""
    shutil.copy(folder.file("good.db"), folder.file("t.db"))
    for ending in ("-wal", "-shm"):
        if os.path.exists(folder.file("t.db" + ending)):
            os.remove(folder.file("t.db" + ending))
    with open(folder.file("t.db"), "r+b") as file:
        change(file)


def a_broken_file_never_gives_a_wrong_table():
    with Folder() as folder:
        folder.write("good.ini", TEXT)
        folder.plum("run", "good.ini")
        whole = folder.table("good.db")
        size = os.path.getsize(folder.file("good.db"))
        refused = 0
        for place in range(0, size, size // 120):
            def smash(file, at=place):
                file.seek(at)
                file.write(b"\xa5" * 64)
            _damage(folder, smash)
            run = subprocess.run([Settings.plum, "tournament", "standings", "t.db", "--json"],
                                 cwd=folder.path, check=False, capture_output=True, text=True)
            if run.returncode == 0:
                equal(folder.table("t.db")[0], whole[0], "standings with bytes %d broken" % place)
            else:
                refused += 1
                require(run.returncode in (2, 3), "exit code %d", run.returncode)
                require("t.db" in run.stderr, "unclear: %s", run.stderr)
        require(refused > 0, "nothing was refused")
        for length in (0, 1, 100, 4096, size // 2):
            _damage(folder, lambda file, at=length: file.truncate(at))
            _, err = _fails(folder, "standings", "t.db")
            require("t.db" in err, "unclear: %s", err)
        _damage(folder, lambda file: file.write(b"this is no database" * 100))
        folder.plum("standings", "t.db", code=3)


def _fails(folder, *words):
    process = folder.start(*words)
    out, err = process.communicate(timeout=60)
    if process.returncode not in (2, 3):
        raise Failure("%s: exit code %d: %s%s" % (" ".join(words), process.returncode, out, err))
    return out, err


def _change(folder, sql):
    shutil.copy(folder.file("good.db"), folder.file("t.db"))
    base = sqlite3.connect(folder.file("t.db"))
    base.executescript(sql)
    base.close()


def a_result_that_somebody_changed_is_noticed():
    changes = (
        "UPDATE game SET result = CASE result WHEN '1-0' THEN '0-1' ELSE '1-0' END WHERE game = 3",
        "UPDATE game SET black_score = black_score + 1 WHERE game = 7",
        "UPDATE game SET black = white, white = black WHERE game = 5",
        "UPDATE game SET status = 'annulled' WHERE game = 2",
        "DELETE FROM pairing WHERE pairing = 4",
        "INSERT INTO withdrawal VALUES (99, 1)",
        "UPDATE pairing SET first = 77 WHERE pairing = 2",
        "UPDATE pairing SET first = second, second = first WHERE pairing = 2",
        "UPDATE pairing SET second = NULL WHERE pairing = 14; DELETE FROM game WHERE game > 27",
    )
    with Folder() as folder:
        folder.write("good.ini", TEXT)
        folder.plum("run", "good.ini")
        for sql in changes:
            _change(folder, sql)
            _, err = folder.plum("standings", "t.db", code=3)
            require("broken" in err, "unclear: %s", err)


def _events(folder, after):
    base = sqlite3.connect("file:%s?mode=ro" % folder.file("t.db"), uri=True, timeout=20)
    rows = base.execute("SELECT id, kind, game, text FROM event WHERE id > ? ORDER BY id",
                        (after,)).fetchall()
    base.close()
    return rows


def spectators_see_the_moves_of_running_games():
    with Folder() as folder:
        folder.write("t.ini", roster("reversi", ["builtin:nodes=20000"] * 3, seed=1))
        run = folder.start("run", "t.ini")
        seen = []
        while run.poll() is None:
            time.sleep(0.1)
            if _is_running(folder):
                seen += _events(folder, seen[-1][0] if seen else 0)
            if len([row for row in seen if row[1] == "over"]) >= 2:
                run.terminate()
                break
        run.communicate(timeout=60)
        plies = [row for row in seen if row[1] == "ply"]
        require(len(plies) > 5, "only %d moves were seen", len(plies))
        require([row for row in seen if row[1] == "start" and row[3].split()[0] in "012"],
                "nobody was told who plays")
        first = [row[3] for row in plies if row[2] == 0]
        equal([int(text.split(".")[0]) for text in first], list(range(1, len(first) + 1)),
              "the moves of game 1")
        folder.plum("resume", "t.db")
        left = _events(folder, 0)
        equal([row for row in left if row[1] == "ply"], [], "moves that are left")
        equal(sorted(row[2] for row in left if row[1] == "over"), list(range(6)), "games over")
        record = folder.plum("games", "t.db", "1")[0]
        for text in first:
            require(text.split(" {")[0] in record, "not in the record: %s", text)


def other_databases_are_refused():
    with Folder() as folder:
        folder.write("good.ini", TEXT)
        folder.plum("run", "good.ini")
        _change(folder, "PRAGMA user_version = 99")
        _, err = folder.plum("standings", "t.db", code=2)
        require("newer plum" in err, "unclear: %s", err)
        sqlite3.connect(folder.file("other.db")).executescript("CREATE TABLE x (y)")
        _, err = folder.plum("standings", "other.db", code=2)
        require("holds no tournament" in err, "unclear: %s", err)
        folder.plum("run", "good.ini", "--db", "other.db", code=2)
        folder.plum("standings", "nowhere.db", code=2)


main(globals())
