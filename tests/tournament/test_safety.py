"""A full disk, a broken file, a second run: a clear error, and never a wrong table."""
import fcntl
import functools
import json
import os
import resource
import shutil
import sqlite3
import subprocess
import time

from support import PATIENCE_S, Folder, Settings, Skip, equal, main, randoms, require, roster

TEXT = roster("hop", randoms(6), seed=3)


@functools.lru_cache(None)
def _whole_table():
    with Folder() as folder:
        folder.write("t.ini", TEXT)
        folder.plum("run", "t.ini")
        return folder.table("t.db")


def _limited(bytes_):
    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_, bytes_))
    return limit


def a_file_that_may_not_grow_is_an_error_and_resume_continues():
    whole = _whole_table()
    failures = 0
    for kilobytes in list(range(4, 100, 16)) + list(range(100, 500, 100)):
        with Folder() as folder:
            folder.write("t.ini", TEXT)
            process = folder.start("run", "t.ini", preexec_fn=_limited(kilobytes * 1024))
            out, err = process.communicate(timeout=PATIENCE_S)
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


def a_full_disk_is_an_error_and_resume_continues():
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
        folder.write("t.ini", roster("reversi", ["builtin:movetime=500"] * 5))
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


def notes_are_taken_while_the_tournament_runs():
    with Folder() as folder:
        # Random players alone can be done before the first note; one that thinks takes seconds.
        folder.write("t.ini", roster("othello", randoms(23) + ["builtin:movetime=3"]))
        run = folder.start("run", "t.ini")
        while not _is_running(folder):
            require(run.poll() is None, "the run has ended")
            time.sleep(0.01)
        notes = 0
        while run.poll() is None:
            folder.plum("note", "t.db", str(notes % 24 + 1), "--days-late", "1", "--reason", "late")
            notes += 1
        require(notes > 0, "no note was taken")
        equal(run.communicate()[1].count("damaged"), 0, "complaints")
        equal(run.returncode, 0, "exit code of the run")
        folder.plum("grade", "t.db", "-o", "g", "--analyze", "0")
        with open(folder.file("g.json"), encoding="utf-8") as sheet:
            late = [grade for grade in json.load(sheet)["grades"] if grade["penalties"]]
        equal(len(late), min(notes, 24), "teams with a note")


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
        for length in (0, 1, 99, 100, 4096, size // 2, size - 1):
            _damage(folder, lambda file, at=length: file.truncate(at))
            for words in (["standings", "t.db"], ["status", "t.db"], ["resume", "t.db"],
                          ["backup", "t.db", "-o", "copy.db"], ["run", "good.ini", "--db", "t.db"]):
                _, err = folder.plum(*words, code=3)
                require("t.db is damaged" in err, "%s of %d bytes: unclear: %s", words[0], length,
                        err)
            equal(os.path.getsize(folder.file("t.db")), length, "the length afterwards")
        _damage(folder, lambda file: file.write(b"this is no database" * 100))
        folder.plum("standings", "t.db", code=3)


def the_journal_of_a_truncated_file_is_left_alone():
    with Folder() as folder:
        folder.write("t.ini", TEXT)
        folder.plum("run", "t.ini")
        base = sqlite3.connect(folder.file("t.db"))
        base.execute("INSERT INTO log (pairing, team, from_game, text) VALUES (0, 0, 0, 'x')")
        base.commit()
        shutil.copy(folder.file("t.db-wal"), folder.file("cut.db-wal"))
        base.close()
        folder.write("cut.db", "")
        folder.plum("standings", "cut.db", code=3)
        require(os.path.getsize(folder.file("cut.db-wal")) > 0, "the journal is gone")


def _change(folder, sql):
    shutil.copy(folder.file("good.db"), folder.file("t.db"))
    base = sqlite3.connect(folder.file("t.db"))
    base.executescript(sql)
    base.close()


def a_changed_result_is_noticed():
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
        "DELETE FROM game WHERE game = 29",
        "DELETE FROM fault",
        "UPDATE fault SET team = 0",
        "INSERT INTO fault VALUES (99, 0, 0, 1, 3, 'late', '', '', 1)",
        "INSERT INTO withdrawal VALUES (2, 1)",
        "UPDATE tournament SET roster = replace(roster, 'seed = 3', 'seed = 4')",
        "UPDATE tournament SET roster = roster || 'days_late = 3'",
        "UPDATE team SET name = 'Ada' WHERE team = 1",
        "UPDATE game SET record = 1 WHERE game = 5",
        "DELETE FROM audit WHERE what = 'finished'",
        "UPDATE audit SET who = 'nobody'",
        "DELETE FROM table_checksum WHERE name = 'fault'",
        "INSERT INTO build VALUES (1, 0, '')",
    )
    with Folder() as folder:
        text = roster("hop", randoms(5) + ["tcp:1:/bin/false"], seed=3, startup_limit=5)
        folder.write("good.ini", text)
        folder.plum("run", "good.ini")
        for sql in changes:
            _change(folder, sql)
            _, err = folder.plum("standings", "t.db", code=3)
            require("damaged" in err, "%s: unclear: %s", sql, err)
        for sql in ("UPDATE record SET text = '' WHERE record = 1", "DELETE FROM record"):
            _change(folder, sql)
            number = str(_game_of_record(folder, 1))
            for words in (["games", "t.db", number], ["export", "t.db"], ["standings", "t.db"],
                          ["status", "t.db"], ["report", "t.db", "-o", "r"], ["resume", "t.db"]):
                _, err = folder.plum(*words, code=3)
                require("the record of game " + number in err, "%s: unclear: %s", sql, err)


def _game_of_record(folder, record):
    base = sqlite3.connect(folder.file("t.db"))
    number = base.execute("SELECT game FROM game WHERE record = ?", (record,)).fetchone()[0]
    base.close()
    return number + 1


def changes_by_plum_keep_the_checksums_valid():
    with Folder() as folder:
        folder.write("t.ini", TEXT)
        folder.plum("run", "t.ini")
        for words in (["annul", "t.db", "3"], ["replay", "t.db", "30"], ["withdraw", "t.db", "1"]):
            folder.plum(*words, "--reason", "x", code=None)
            folder.plum("standings", "t.db")
        folder.plum("resume", "t.db")
        folder.plum("standings", "t.db")


OLD_GAMES = "DROP TABLE machine; ALTER TABLE game DROP COLUMN machine;"
OLD_TABLES = OLD_GAMES + """
    DROP TABLE table_checksum; DROP TABLE program; DROP TABLE violation; ALTER TABLE record DROP COLUMN checksum;
    PRAGMA user_version = 1;
"""
OLD_NAME = OLD_GAMES + "ALTER TABLE table_checksum RENAME TO seal; PRAGMA user_version = 4;"


def a_database_of_an_older_plum_is_brought_up_to_date():
    with Folder() as folder:
        folder.write("good.ini", TEXT)
        folder.plum("run", "good.ini")
        for version, sql in ((4, OLD_NAME), (1, OLD_TABLES)):
            _change(folder, sql)
            equal(folder.table("t.db"), folder.table("good.db"), "the table")
            equal(folder.plum("export", "t.db"), folder.plum("export", "good.db"), "the records")
            copies = [name for name in os.listdir(folder.path) if name.startswith("t.db.")]
            copy = "t.db.v%d" % version
            equal(copies, [copy], "copies of what it was")
            equal(_version(folder, copy), version, "the version of the copy")
            last = folder.json("status", "t.db")["audit"][-1]
            equal((last["what"], last["reason"]), ("migrated", folder.file(copy)), "the last entry")
            os.remove(folder.file(copy))
        _change(folder, OLD_TABLES)
        lock = open(folder.file("t.db-lock"), "w", encoding="ascii")
        fcntl.lockf(lock, fcntl.LOCK_EX)
        _, err = folder.plum("standings", "t.db", code=3)
        require("another plum" in err, "unclear: %s", err)
        equal(_version(folder, "t.db"), 1, "the version of one that is in use")
        lock.close()
        os.chmod(folder.file("t.db"), 0o644)  # its owner lets others read it
        os.chmod(folder.path, 0o555)
        if os.getuid() == 0:
            _, err = folder.plum("standings", "t.db", code=3, preexec_fn=_as_somebody_else)
            require("older plum" in err, "unclear: %s", err)
        os.chmod(folder.path, 0o755)
        _change(folder, "PRAGMA user_version = 0")
        _, err = folder.plum("standings", "t.db", code=3)
        require("no version 0" in err, "unclear: %s", err)


def a_team_that_this_machine_keeps_from_playing_loses_nothing():
    if os.getuid() != 0:
        raise Skip("agents of an ordinary user run as that user")
    with Folder() as folder:
        folder.write("agent", "#!/bin/sh\n")
        os.chmod(folder.file("agent"), 0o700)
        folder.write("t.ini", roster("hop", ["random", "ugi:./agent"]))
        _, err = folder.plum("run", "t.ini", code=3)
        require("team 2: " in err and "chmod go+rX" in err, "unclear: %s", err)
        require(not os.path.exists(folder.file("t.db")), "a database is left")
        os.chmod(folder.file("agent"), 0o755)
        folder.plum("run", "t.ini")


def _version(folder, name):
    base = sqlite3.connect(folder.file(name))
    version = base.execute("PRAGMA user_version").fetchone()[0]
    base.close()
    return version


def _as_somebody_else():
    if os.getuid() == 0:
        os.setuid(65534)


def a_user_without_write_permission_may_read():
    with Folder() as folder:
        folder.write("good.ini", TEXT)
        folder.plum("run", "good.ini")
        standings = folder.plum("standings", "good.db")
        os.rename(folder.file("good.db"), folder.file("what?%41#.db"))
        os.chmod(folder.file("what?%41#.db"), 0o444)
        os.chmod(folder.path, 0o555)
        equal(folder.plum("standings", "what?%41#.db", preexec_fn=_as_somebody_else), standings,
              "the standings for somebody else")
        equal(len(os.listdir(folder.path)), 2, "files")
        _, err = folder.plum("resume", "what?%41#.db", code=3, preexec_fn=_as_somebody_else)
        require("Permission denied" in err, "unclear: %s", err)
        os.chmod(folder.path, 0o755)


def a_database_without_a_tournament_is_not_resumed():
    with Folder() as folder:
        folder.write("t.ini", TEXT)
        base = sqlite3.connect(folder.file("t.db"))
        base.execute("PRAGMA journal_mode = WAL")
        base.close()
        for words in (["resume", "t.db"], ["run", "t.ini"]):
            _, err = folder.plum(*words, code=2)
            require("elete it" in err, "no way on: %s", err)
        os.remove(folder.file("t.db"))
        folder.plum("run", "t.ini")


def a_database_and_its_companions_are_for_its_owner_only():
    def open_to_all():
        os.umask(0)
    with Folder() as folder:
        folder.write("t.ini", roster("reversi", ["builtin:movetime=200"] * 3))
        run = folder.start("run", "t.ini", preexec_fn=open_to_all)
        while not _is_running(folder):
            require(run.poll() is None, "the run has ended")
            time.sleep(0.01)
        folder.plum("backup", "t.db", "-o", "copy.db", preexec_fn=open_to_all)
        seen = set()
        for name in os.listdir(folder.path):
            if ".db" in name or name.endswith(".tmp"):
                seen.add(name)
                mode = os.stat(folder.file(name)).st_mode & 0o777
                equal(oct(mode), "0o600", "the mode of " + name)
        require(seen >= {"t.db", "t.db-wal", "t.db-shm", "t.db-lock", "copy.db"}, "only %s", seen)
        run.terminate()
        run.communicate()
        folder.plum("export", "t.db", "-o", "records.txt", code=None, preexec_fn=open_to_all)
        if os.path.exists(folder.file("records.txt")):
            equal(os.stat(folder.file("records.txt")).st_mode & 0o777, 0o666, "what is not private")


def a_new_database_is_a_tournament_at_any_moment():
    with Folder() as folder:
        folder.write("t.ini", TEXT)
        for delay_ms in range(0, 40, 2):
            run = folder.start("run", "t.ini")
            time.sleep(delay_ms / 1000)
            run.kill()
            run.communicate()
            if os.path.exists(folder.file("t.db")):
                folder.plum("standings", "t.db")
                for name in os.listdir(folder.path):
                    if name != "t.ini":
                        os.remove(folder.file(name))


THINKERS = roster("reversi", ["builtin:nodes=5000"] * 3, seed=3)


def _rename_other(folder):
    os.rename(folder.file("other.db"), folder.file("t.db"))


def _remove_all(folder):
    for ending in ("", "-wal", "-shm"):
        os.remove(folder.file("t.db" + ending))


LOSSES = (
    ("deleted", lambda folder: os.remove(folder.file("t.db")), True),
    ("replaced", _rename_other, True),
    ("deleted with its journal", _remove_all, True),
    ("without its journal", lambda folder: os.remove(folder.file("t.db-wal")), True),
    ("cut off", lambda folder: os.truncate(folder.file("t.db"), 0), False),
    ("journal cut off", lambda folder: os.truncate(folder.file("t.db-wal"), 0), None),
)


def a_database_lost_while_it_is_played_is_saved_under_another_name():
    with Folder() as folder:
        folder.write("t.ini", THINKERS)
        folder.plum("run", "t.ini")
        whole = folder.table("t.db")
    for what, lose, is_saved in LOSSES:
        with Folder() as folder:
            folder.write("t.ini", THINKERS)
            folder.write("other.ini", TEXT)
            folder.plum("run", "other.ini")
            other = folder.table("other.db")
            run = folder.start("run", "t.ini", "--concurrency", "1")
            _await_games(folder, run, 2)
            lose(folder)
            out, err = run.communicate(timeout=PATIENCE_S)
            equal(run.returncode, 3, "%s: exit code (%s)" % (what, err))
            equal(out, "", "standard output of a failed run")
            require("t.db was deleted, replaced or cut off" in err or "t.db was damaged" in err, "%s: unclear: %s", what, err)
            if what == "replaced":
                equal(folder.table("t.db"), other, "what it was replaced with")
            if is_saved is None and "cannot be saved" not in err:
                continue
            if not is_saved:
                require("; continue with a copy made by plum tournament backup\n" in err,
                        "%s: unclear: %s", what, err)
                require("cannot be saved" in err, "%s: unclear: %s", what, err)
                continue
            saved = err.strip().splitlines()[-1].split("plum tournament resume ")[1]
            equal(saved, folder.file("t.db.saved"), "where it is saved")
            require(folder.json("status", saved)["played_games"] >= 2, "%s: games are lost", what)
            folder.plum("resume", saved)
            equal(folder.table(saved), whole, "the table after it was " + what)


def _overwrite_pages(folder):
    with open(folder.file("t.db"), "r+b") as file:
        size = os.path.getsize(folder.file("t.db"))
        file.seek(8192)
        file.write(b"\xa5" * max(0, size - 8192))


def a_database_overwritten_while_it_is_played_is_an_error():
    with Folder() as folder:
        folder.write("t.ini", THINKERS)
        run = folder.start("run", "t.ini", "--concurrency", "1")
        _await_games(folder, run, 2)
        base = sqlite3.connect(folder.file("t.db"))
        base.execute("PRAGMA wal_checkpoint(PASSIVE)")
        base.close()
        _overwrite_pages(folder)
        out, err = run.communicate(timeout=PATIENCE_S)
        equal(run.returncode, 3, "exit code (%s)" % err)
        equal(out, "", "standard output of a failed run")
        require("t.db" in err and "damaged" in err, "unclear: %s", err)


def another_file_copied_over_the_database_ends_the_run():
    with Folder() as folder:
        folder.write("t.ini", THINKERS)
        folder.write("other.ini", TEXT)
        folder.plum("run", "other.ini")
        run = folder.start("run", "t.ini", "--concurrency", "1")
        _await_games(folder, run, 2)
        with open(folder.file("other.db"), "rb") as other, open(folder.file("t.db"), "r+b") as base:
            base.write(other.read())
        _, err = run.communicate(timeout=PATIENCE_S)
        equal(run.returncode, 3, "exit code (%s)" % err)
        require("was copied over t.db" in err and "backup" in err, "unclear: %s", err)


def a_database_lost_with_its_folder_is_saved_in_the_temporary_folder():
    with Folder() as folder:
        os.mkdir(folder.file("class"))
        os.mkdir(folder.file("tmp"))
        folder.write("t.ini", THINKERS)
        run = folder.start("run", "t.ini", "--db", "class/t.db", "--concurrency", "1",
                           env=dict(os.environ, TMPDIR=folder.file("tmp")))
        _await_games(folder, run, 2, "class/t.db")
        shutil.rmtree(folder.file("class"))
        _, err = run.communicate(timeout=PATIENCE_S)
        equal(run.returncode, 3, "exit code (%s)" % err)
        require(folder.file("tmp/t.db.saved") in err, "unclear: %s", err)
        require(folder.json("status", "tmp/t.db.saved")["played_games"] >= 2, "games are lost")


def _await_games(folder, run, count, name="t.db"):
    while True:
        require(run.poll() is None, "the run has ended")
        status = subprocess.run([Settings.plum, "tournament", "status", name, "--json"],
                                check=False, cwd=folder.path, capture_output=True, text=True)
        if status.returncode == 0 and json.loads(status.stdout)["played_games"] >= count:
            return
        time.sleep(0.01)


def _kill_backup(folder):
    """While it writes; on a busy machine it can be complete before we look."""
    for _ in range(20):
        backup = folder.start("backup", "t.db", "-o", "killed.db")
        while backup.poll() is None:
            if [name for name in os.listdir(folder.path) if name.endswith(".tmp")]:
                backup.kill()
                backup.communicate()
                return
        equal(backup.communicate()[1], "", "complaints of a backup")
        os.remove(folder.file("killed.db"))
    require(False, "there is no temporary file")


def a_backup_is_there_when_it_is_complete():
    with Folder() as folder:
        folder.write("t.ini", TEXT)
        folder.plum("run", "t.ini")
        base = sqlite3.connect(folder.file("t.db"))
        base.execute("INSERT INTO log (pairing, team, from_game, text) VALUES (0, 0, 0, ?)",
                     ("x" * 30000000,))
        base.commit()
        base.close()
        size = os.path.getsize(folder.file("t.db"))
        backup = folder.start("backup", "t.db", "-o", "copy.db")
        while not os.path.exists(folder.file("copy.db")):
            require(backup.poll() in (0, None), "the backup failed")
        equal(os.path.getsize(folder.file("copy.db")), size, "the size when it appears")
        backup.communicate()
        equal(folder.table("copy.db"), folder.table("t.db"), "the table")
        _kill_backup(folder)
        if os.path.exists(folder.file("killed.db")):
            equal(folder.table("killed.db"), folder.table("t.db"), "the table")
        folder.write(".plum-1-0.tmp", "left by a killed process")
        folder.write(".plum-2-0.tmp", "still written")
        for name in os.listdir(folder.path):
            if name.endswith(".tmp"):
                os.utime(folder.file(name), (1, 1))
        with open(folder.file(".plum-2-0.tmp"), encoding="utf-8") as written:
            fcntl.flock(written, fcntl.LOCK_EX)
            folder.plum("backup", "t.db", "-o", "next.db")
        equal([name for name in os.listdir(folder.path) if name.endswith(".tmp")], [".plum-2-0.tmp"],
              "temporary files after the next backup")
        os.remove(folder.file(".plum-2-0.tmp"))
        before = [name for name in os.listdir(folder.path) if not name.startswith("t.db-")]
        _, err = folder.plum("backup", "t.db", "-o", "large.db", code=3,
                             preexec_fn=_limited(10000000))
        require("large.db" in err, "unclear: %s", err)
        after = [name for name in os.listdir(folder.path) if not name.startswith("t.db-")]
        equal(sorted(after), sorted(before), "files after a failed backup")
        _, err = folder.plum("backup", "t.db", "-o", "copy.db", code=2)
        require("exists" in err, "unclear: %s", err)


def a_tournament_whose_folder_was_moved_continues():
    with Folder() as folder:
        os.mkdir(folder.file("old"))
        text = roster("hop", randoms(4) + ["tcp:1:./absent"], seed=3, startup_limit=5)
        folder.write("old/absent", "#!/bin/false\n")
        os.chmod(folder.file("old/absent"), 0o755)
        folder.write("old/t.ini", text)
        folder.plum("run", "old/t.ini")
        folder.plum("replay", "old/t.db", "1", "--reason", "x")
        os.rename(folder.file("old"), folder.file("new"))
        folder.plum("resume", "new/t.db")
        equal(folder.json("status", "new/t.db")["state"], "finished", "the state")


def a_run_that_cannot_begin_leaves_no_files():
    with Folder() as folder:
        teams = [{"id": 1, "source": "a.cpp"}, {"id": 2, "player": "tcp:1:/bin/false"}]
        folder.write("a.cpp", "int main() { return 0; }\n")
        folder.write("t.ini", roster("hop", teams, startup_limit=5))
        folder.plum("run", "t.ini", "--concurrency", "0", code=2)
        equal(sorted(os.listdir(folder.path)), ["a.cpp", "t.ini"], "files")
        folder.write("a.cpp", "this does not compile\n")
        folder.plum("run", "t.ini")
        require(not os.path.exists(folder.file("t.db.agents")), "an empty folder is left")


def a_new_tournament_builds_its_sources_again():
    with Folder() as folder:
        teams = [{"id": 1, "source": "a.cpp"}, {"id": 2, "player": "random"}]
        folder.write("a.cpp", "int main() { return 0; }\n")
        folder.write("t.ini", roster("hop", teams, startup_limit=5))
        folder.plum("run", "t.ini")
        os.remove(folder.file("t.db"))
        folder.write("a.cpp", "this does not compile\n")
        folder.plum("run", "t.ini")
        require("team 1 cannot play" in folder.plum("status", "t.db")[0], "the old program plays")


def what_does_not_compile_at_intake_is_compiled_again_when_it_changes():
    with Folder() as folder:
        os.mkdir(folder.file("in"))
        folder.write("in/Team_1.cpp", "this does not compile\n")
        folder.write("in/Team_2.py", "import STcpClient\n")
        folder.plum("init", "hop", "in", "-o", "t.ini")
        with open(folder.file("t.files/Team_1/build.log"), "a+", encoding="utf-8") as log:
            log.seek(0)
            text = log.read()
            log.truncate(0)
            log.write("kept from the intake\n" + text)
        folder.plum("run", "t.ini")
        require("team 1 cannot play" in folder.plum("status", "t.db")[0], "team 1 plays")
        base = sqlite3.connect(folder.file("t.db"))
        kept = base.execute("SELECT messages FROM build WHERE team = 0").fetchone()[0]
        base.close()
        equal(kept, "kept from the intake\n" + text, "the compiler's messages")
        folder.write("t.files/Team_1/Team_1.cpp", "int main() { return 0; }\n")
        folder.plum("resume", "t.db")
        require("team 1 cannot play" not in folder.plum("status", "t.db")[0], "team 1 was not built again")


def a_program_that_was_changed_is_noticed_by_resume():
    with Folder() as folder:
        folder.write("a.py", "print()\n")
        folder.write("c.cpp", "int main() { return 0; }\n")
        teams = [{"id": 1, "player": "tcp:1:python3 a.py"}, {"id": 2, "source": "c.cpp"},
                 {"id": 3, "player": "random"}]
        folder.write("t.ini", roster("hop", teams, startup_limit=5))
        folder.plum("run", "t.ini")
        _, err = folder.plum("resume", "t.db")
        require("has changed" not in err, "nothing was changed: %s", err)
        folder.write("a.py", "print(1)\n")
        folder.write("c.cpp", "int main() { return 1; }\n")
        _, err = folder.plum("resume", "t.db")
        require("team 1: a.py has changed" in err, "unnoticed: %s", err)
        require("team 2: c.cpp has changed" in err, "unnoticed: %s", err)
        audit = [(deed["team"], deed["reason"]) for deed in folder.json("status", "t.db")["audit"]
                 if deed["what"] == "changed"]
        equal(audit, [("1", "a.py"), ("2", "c.cpp")], "the audit log")
        _, err = folder.plum("resume", "t.db")
        require("has changed" not in err, "told twice: %s", err)


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
        run.communicate(timeout=PATIENCE_S)
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
        require("is not a tournament" in err, "unclear: %s", err)
        folder.plum("run", "good.ini", "--db", "other.db", code=2)
        folder.plum("standings", "nowhere.db", code=2)


main(globals())
