"""Programs with files next to them, weights and books: handed in as zips, in the sandbox, on workers, in the feedback.

usage: test_data_files.py PLUM [CASE...]

A program of this class ends at once if its files are missing or other than they were handed in.
"""
import os
import shutil
import zipfile

from cluster_support import PATH, Cluster
from support import Folder, Settings, Skip, equal, main, require

WEIGHTS = b"\x00\x01\r\n\xff" * 50000
BOOK = '{"start": "33"}\n'.encode()
CPP = """#include <cstdlib>
#include <fstream>
#include <iterator>
#include <string>
static const int files_are_right = [] {
    std::ifstream weights("data/weights.bin", std::ios::binary), book("book.json");
    std::string bytes((std::istreambuf_iterator<char>(weights)), std::istreambuf_iterator<char>()), line;
    if (bytes.size() != %d || bytes[4] != '\\xff' || !std::getline(book, line) || line.size() != %d)
        std::exit(9);
    return 1;
}();
"""
PYTHON = """import sys
import json
if len(open("data/weights.bin", "rb").read()) != %d or json.load(open("book.json")) != {"start": "33"}:
    sys.exit(9)
"""


def _hand_in(folder, number, language, source, head):
    """The kit with files, as a student packs it: a zip with one folder."""
    kit = folder.file("kit%d" % number)
    os.system("'%s' new reversi %s '%s' --team %d >/dev/null" % (Settings.plum, language, kit, number))
    with open(os.path.join(kit, source), "rb") as file:
        text = file.read()
    with zipfile.ZipFile(folder.file("in/Team_%d.zip" % number), "w") as archive:
        for name in os.listdir(kit):
            with open(os.path.join(kit, name), "rb") as file:
                archive.writestr("homework/" + name, file.read() if name != source else head.encode() + text)
        archive.writestr("homework/data/weights.bin", WEIGHTS)
        archive.writestr("homework/book.json", BOOK)


def _make_class(folder):
    os.mkdir(folder.file("in"))
    _hand_in(folder, 1, "cpp", "Sample.cpp", CPP % (len(WEIGHTS), len(BOOK) - 1))
    _hand_in(folder, 2, "python", "Sample.py", PYTHON % len(WEIGHTS))
    out, err = folder.plum("init", "reversi", "in", "-o", "class.ini")
    require("2 teams, 2 of them can play" in out, "%s%s", out, err)


def _all_played_well(folder):
    out, _ = folder.plum("export", "class.db")
    equal(out.count("[Game "), 2, "games")
    require("fault=" not in out, "a program does not find its files:\n%s", out)
    return out


def files_come_through_intake_sandbox_and_feedback():
    with Folder() as folder:
        _make_class(folder)
        folder.plum("run", "class.ini")
        _all_played_well(folder)
        folder.plum("grade", "class.db", "-o", "grades.csv")
        require({"1.html", "2.html"} <= set(os.listdir(folder.file("grades.feedback"))), "no feedback")


def a_missing_file_is_seen():
    with Folder() as folder:
        _make_class(folder)
        for place, _, files in os.walk(folder.file("class.files")):
            if "book.json" in files:
                os.unlink(os.path.join(place, "book.json"))
        folder.plum("run", "class.ini")
        out, _ = folder.plum("export", "class.db")
        equal(out.count('[Reason "both-absent"]'), 2, "games that both programs lose")


def files_travel_to_workers():
    if not shutil.which("nats-server", path=PATH):
        raise Skip("nats-server is not installed")
    with Folder() as folder:
        _make_class(folder)
        if "built without NATS" in folder.plum("worker-file", "class.ini", "-o", "files", code=None)[1]:
            raise Skip("plum was built without NATS")
        with open(folder.file("class.ini"), encoding="utf-8") as file:
            text = file.read()
        with Cluster(folder, text) as cluster:
            cluster.start()
            cluster.worker()
            cluster.finish()
        require('[Machine "' in _all_played_well(folder), "no worker played")


main(globals())
