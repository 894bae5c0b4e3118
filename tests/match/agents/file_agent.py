"""file_agent: an agent that talks through files and misbehaves as its first argument says.

usage: file_agent.py BEHAVIOUR [ARGUMENT...]
"""
import ctypes
import errno
import fcntl
import mmap
import os
import signal
import sys
import time

sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))
import boards  # noqa: E402
import harm  # noqa: E402
import ponder  # noqa: E402

STATE, MOVE = "state_7.txt", "move_7.txt"


class Agent:
    def __init__(self, behaviour, words):
        self.behaviour = behaviour.replace("-", "_")
        self.words = words
        self.index = 0

    # --- The protocol, as it should be spoken ---

    def read_state(self):
        """Waits for the next question; None: stop."""
        while True:
            try:
                with open(STATE) as file:
                    lines = file.read().split("\n")
            except OSError:
                lines = []
            if "end" in lines:
                index = int(lines[0].split()[1])
                if index == 0:
                    return None
                if index > self.index:
                    self.index = index
                    return self.question(lines)
            time.sleep(0.005)

    @staticmethod
    def question(lines):
        own = int(lines[1].split()[1])
        return [int(word) for line in lines[3:11] for word in line.split()], own

    def text(self, squares, index=None):
        rows = ["move %d" % (self.index if index is None else index)]
        return "\n".join(rows + ["%d %d" % square for square in squares] + ["end", ""])

    def write(self, text):
        with open("new", "w") as file:
            file.write(text)
        os.rename("new", MOVE)

    def run(self):
        before = getattr(self, "before_" + self.behaviour, None)
        misbehave = getattr(self, self.behaviour, None)
        if before:
            before()
        while True:
            question = self.read_state()
            if question is None:
                stopped = getattr(self, "stopped_" + self.behaviour, None)
                return stopped() if stopped else None
            if not misbehave or not misbehave(*question):
                self.write(self.text(boards.a_move(*question)))

    # --- Misbehaviour; a method returns True when it has dealt with the question ---

    def silent(self, board, own):
        return True

    def prints(self, board, own):
        print("question", self.index)

    def slow(self, board, own):
        time.sleep(float(self.words[0]))

    def slow_at(self, board, own):
        if self.index == int(self.words[0]):
            time.sleep(float(self.words[1]))

    def work_at(self, board, own):
        if self.index == int(self.words[0]):
            ponder.work(float(self.words[1]))

    def before_ponder(self):
        self.spinner = ponder.Spinner()

    def ponder(self, board, own):
        self.spinner.note_question()
        self.write(self.text(boards.a_move(board, own)))
        return True

    def stopped_ponder(self):
        print("stopped", file=sys.stderr, flush=True)

    def hold_judge(self, board, own):
        if self.index != 2:
            return False
        text = self.text(boards.a_move(board, own))
        harm.hold_judge(lambda: self.write(text), self.words[0] == "first", float(self.words[1]))
        return True

    def half(self, board, own):
        self.write(self.text(boards.a_move(board, own))[:-3])
        return True

    def halves(self, board, own):
        """Written in place, byte by byte."""
        text = self.text(boards.a_move(board, own))
        with open(MOVE, "w") as file:
            for letter in text:
                file.write(letter)
                file.flush()
                time.sleep(0.001)
        return True

    def windows(self, board, own):
        self.write(self.text(boards.a_move(board, own)).replace("\n", "\r\n"))
        return True

    def stale(self, board, own):
        self.write(self.text(boards.a_move(board, own), self.index - 1))
        return True

    def future(self, board, own):
        self.write(self.text(boards.a_move(board, own), self.index + 1))
        return True

    def garbage(self, board, own):
        self.write("\0\xff nonsense\nend\n")
        return True

    def off_board(self, board, own):
        self.write(self.text([(9, -1)]))
        return True

    def pairs(self, board, own):
        self.write(self.text([(0, 0)] * int(self.words[0])))
        return True

    def huge(self, board, own):
        self.write("move %d\n" % self.index + "1 1\n" * 5000000 + "end\n")
        return True

    def bad_once(self, board, own):
        """One bad file, then good ones; a file is written anew only when it is good."""
        if self.index == 1:
            return getattr(self, self.words[0].replace("-", "_"))(board, own)
        if os.path.isdir(MOVE):
            os.rmdir(MOVE)

    def leftover(self, board, own):
        """Answers a later question at the first one, and never again. The status of the file changes
        at every question, as it does while another file is renamed over it."""
        if self.index == 1:
            self.write(self.text(boards.a_move(board, own), int(self.words[0])))
        else:
            os.chmod(MOVE, 0o640 + self.index)
        return True

    def in_advance(self, board, own):
        """Answers the second question while the opponent thinks, and never again."""
        if self.index == 1:
            self.write(self.text(boards.a_move(board, own)))
            time.sleep(0.3)
            self.write(self.text(boards.a_move(board, own), 2))
        return True

    def folder(self, board, own):
        if not os.path.exists(MOVE):
            os.mkdir(MOVE)
        return True

    def fifo(self, board, own):
        if not os.path.exists(MOVE):
            os.mkfifo(MOVE)
        return True

    def lease(self, board, own):
        """The answer is a file that no other process can open: its owner would have to agree."""
        signal.signal(signal.SIGIO, signal.SIG_IGN)
        self.leased = os.open(MOVE, os.O_RDWR | os.O_CREAT)
        fcntl.fcntl(self.leased, fcntl.F_SETLEASE, fcntl.F_WRLCK)
        return True

    def link(self, board, own):
        """The answer is the target of a link, which may lead anywhere."""
        with open("behind", "w") as file:
            file.write(self.text(boards.a_move(board, own)))
        if not os.path.lexists(MOVE):
            os.symlink("behind", MOVE)
        return True

    def trap(self, board, own):
        """Links where the judge will write: nothing may come of it."""
        for name in (STATE, STATE + ".tmp", "state.tmp", ".state.tmp"):
            if os.path.lexists(name):
                os.unlink(name)
            os.symlink(self.words[0], name)

    def block(self, board, own):
        """A folder where the judge will write."""
        os.unlink(STATE)
        os.mkdir(STATE)
        with open(STATE + "/x", "w"):
            pass

    def block_largely(self, board, own):
        """A file where the judge will write, which takes it long to delete."""
        with open("large", "wb") as file:
            file.write(bytes(8 << 20))
        os.rename("large", STATE)

    def deep(self, board, own):
        """Leaves a folder that is hard to remove."""
        if self.index > 1:
            return
        here = os.getcwd()
        for _ in range(300):
            os.mkdir("d" * 200)
            os.chdir("d" * 200)
        os.chdir(here)
        os.chmod("d" * 200, 0)

    def leave_at(self, board, own):
        if self.index == int(self.words[0]):
            sys.exit(3)

    def before_leave_at_once(self):
        sys.exit(4)

    def before_watcher(self):
        """Needs something of which each user has a small number, unless no program may have it."""
        if harm.inotify_instances(1)[1] == errno.EMFILE:
            sys.exit("no inotify instance is left")

    def before_starts_with_files(self):
        self.write("")
        time.sleep(float(self.words[0]))

    def before_start(self):
        time.sleep(float(self.words[0]))

    def stopped_tell_stop(self):
        print("stopped", file=sys.stderr, flush=True)

    def stopped_ignore(self):
        time.sleep(1000)

    # --- The first question is read in secret; then the agent thinks and answers ---

    def before_secret(self):
        """words: how it reads, seconds before that, seconds after that."""
        way = getattr(self, "secret_" + self.words[0])
        text = way()
        time.sleep(float(self.words[2]))
        self.index = 1
        self.write(self.text(boards.a_move(*self.question(text.split("\n")))))

    def wait_for_state(self):
        """Looks at the name only."""
        while not os.path.lexists(STATE):
            time.sleep(0.001)
        time.sleep(float(self.words[1]))

    @staticmethod
    def read(path, flags=0):
        with open(os.open(path, os.O_RDONLY | flags)) as file:
            return file.read()

    def secret_exchange(self):
        """A decoy that was never read gets the name of the question."""
        libc = ctypes.CDLL(None, use_errno=True)
        self.write("")
        os.rename(MOVE, "decoy")
        os.utime("decoy", (1, 1))
        self.wait_for_state()
        if libc.renameat2(-100, b"decoy", -100, STATE.encode(), 2):
            sys.exit("no exchange: %s" % os.strerror(ctypes.get_errno()))
        return self.read("decoy")

    def secret_noatime(self):
        """The owner of a file may read it without a new access time."""
        self.wait_for_state()
        return self.read(STATE, os.O_NOATIME)

    def secret_mapped(self):
        """Opened under a temporary name, before it is complete, and mapped: no call reads it."""
        file = -1
        while file < 0:
            for name in (".state.tmp", STATE):
                try:
                    file = os.open(name, os.O_RDONLY)
                    break
                except OSError:
                    pass
        while not os.fstat(file).st_size:
            pass
        self.wait_for_state()
        return mmap.mmap(file, 0, prot=mmap.PROT_READ)[:].decode()

    def secret_removed(self):
        """Without a name, it is still found through a descriptor that does not count as open."""
        self.wait_for_state()
        os.link(STATE, "second")
        file = os.open(STATE, os.O_PATH)
        os.unlink(STATE)
        os.unlink("second")
        time.sleep(0.1)
        return self.read("/proc/self/fd/%d" % file)

    def before_data(self):
        """Finds the files of its own folder in the folder it works in."""
        with open("boards.py") as file:
            if "reversi" not in file.read():
                sys.exit(5)

    def harm(self, board, own):
        if self.index == 2:
            harm.do(self.words[0], *self.words[1:])


if __name__ == "__main__":
    Agent(sys.argv[1], sys.argv[2:]).run()
