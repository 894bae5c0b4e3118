"""What a person sees on a terminal while a tournament runs."""
import fcntl
import os
import pty
import re
import struct
import subprocess
import termios

from support import PATIENCE_S, Folder, Settings, main, require, roster

UP = re.compile("\033\\[([0-9]+)A")


def _watch(columns, rows):
    """What a long run draws on a terminal of that size until it has drawn anew twice."""
    players = [{"player": "builtin:nodes=20000",
                "name": "\u6885\u7af9 a team with quite a long name %d" % number}
               for number in range(12)]
    with Folder() as folder:
        folder.write("t.ini", roster("reversi", players, name="A long name " * 9))
        master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        run = subprocess.Popen([Settings.plum, "tournament", "run", "t.ini"], cwd=folder.path,
                               stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=slave)
        os.close(slave)
        drawn = ""
        while len(UP.findall(drawn)) < 2:
            require(run.poll() is None, "it has ended: %r", drawn)
            drawn += os.read(master, 65536).decode("utf-8", "replace")
        run.terminate()
        run.wait(timeout=PATIENCE_S)
        os.close(master)
        return drawn


def _columns(line):
    return sum(2 if "\u4e00" <= sign <= "\u9fff" else 1 for sign in line)


def the_screen_fits_the_terminal():
    for columns, rows in ((80, 24), (40, 6)):
        drawn = _watch(columns, rows)
        require("points" in drawn or columns == 40, "no standings: %r", drawn)
        heights = [int(lines) for lines in UP.findall(drawn)]
        require(max(heights) < rows, "%d rows: it goes up by %r", rows, heights)
        for line in re.sub("\033\\[[0-9]*[A-Z]", "", drawn).splitlines():
            is_remark = line.startswith("plum tournament run: ")  # it is not drawn over
            require(is_remark or _columns(line) <= columns, "%d columns: %r", columns, line)


main(globals())
