# --- The judge's side of the files ---
# The judge writes state_TEAM.txt into the folder in which the agent runs, the agent answers in move_TEAM.txt.

MOST_BYTES = 65536
MOST_DIGITS = 4000  # of a number: Python refuses to read longer ones


def read_answer(text, index):
    """The move in a move file, or None: it is not complete, or an old one."""
    lines = text.rstrip(" \t\r\n").split("\n")
    if len(text) >= MOST_BYTES:
        raise Fault("invalid", "the move file is far too long")
    if lines[-1].strip(" \t\r") != "end":
        return None
    first = re.match(r"[ \t\r]*move[ \t\r]*(-?\d+)[ \t\r]*$", lines[0])
    if not first:
        raise Fault("invalid", "the move file does not begin with a line 'move N'")
    answered = int(first.group(1)[:MOST_DIGITS])
    if answered < index:
        return None
    if answered > index:
        raise Fault("invalid", "the move file answers question %s, but only %d %s been asked"
                    % (first.group(1)[:40], index, "has" if index == 1 else "have"))
    squares = []
    for i, line in enumerate(lines[1:]):
        if re.match(r"\s*end", line):
            if i < len(lines) - 2 or line.strip(" \t\r") != "end":
                raise Fault("invalid", "more follows the line 'end' of the move file")
            break
        numbers = re.match(r"[ \t\r]*(-?\d+)(?:[ \t\r]+|(?=-))(-?\d+)[ \t\r]*$", line)
        if not numbers:
            raise Fault("invalid", "a line of the move file is not 'ROW COLUMN'")
        row, column = [int(number[:MOST_DIGITS]) for number in numbers.groups()]
        if not (0 <= row < ROWS and 0 <= column < COLUMNS):
            raise Fault("invalid", "square (%s, %s) of the move file is off the board"
                        % tuple(number[:40] for number in numbers.groups()))
        if len(squares) == LONGEST_MOVE:
            raise Fault("invalid", "the move file names too many squares")
        squares.append(row * COLUMNS + column)
    return tuple(squares)


class Agent(Process):
    """Each game has a new folder with a copy of the agent's files."""

    def __init__(self, command, team, title):
        Process.__init__(self, command, team, title)
        self.words, self.place, self.asked, self.begun = self.command, None, 0, 0.0

    def begin(self):
        self.close()
        self.place, self.asked = tempfile.mkdtemp(prefix="practice"), 0
        for entry in os.listdir(self.folder):
            source, copy = os.path.join(self.folder, entry), os.path.join(self.place, entry)
            if entry.startswith((".", "__pycache__", "state_", "move_")):
                continue
            (shutil.copytree if os.path.isdir(source) else shutil.copy2)(source, copy)
        self.command = [os.path.join(self.place, os.path.basename(word)) if os.path.dirname(word) == self.folder else word
                        for word in self.words]
        self.start(self.place)

    def path(self, kind):
        return os.path.join(self.place, "%s_%d.txt" % (kind, self.team))

    def write_state(self, text):
        """To another name first, so that the agent never sees half of it. Windows refuses while it is being read."""
        why = None
        for _ in range(200):
            try:
                with open(os.path.join(self.place, "state.tmp"), "w") as file:
                    file.write(text)
                os.replace(file.name, self.path("state"))
                return
            except OSError as error:
                why = error
                time.sleep(0.005)
        raise Fault("crashed", "its folder does not take %s: %s" % (os.path.basename(self.path("state")), why))

    def ask(self, state):
        self.asked += 1
        cells = wire(state)
        rows = [" ".join(str(cell) for cell in cells[row * COLUMNS:(row + 1) * COLUMNS]) for row in range(ROWS)]
        self.write_state("\n".join(["move %d" % self.asked, "color %d" % (to_move(state) + 1), "board"] + rows + ["end", ""]))
        self.begun = time.perf_counter()

    def read_move(self):
        if not os.path.isfile(self.path("move")):
            return None  # not even a pipe, which would have to be waited for
        try:
            with open(self.path("move"), "rb") as file:
                text = file.read(MOST_BYTES).decode("latin-1")
        except OSError:
            return None
        return read_answer(text, self.asked)

    def wait(self, seconds):
        """The first answer may also take the time to start."""
        deadline = self.begun + seconds + (STARTUP_LIMIT if self.asked == 1 else 0)
        while time.perf_counter() < deadline:
            is_running = self.is_running()
            move = self.read_move()
            if move is not None:
                return move
            if not is_running:
                self.check_is_running()
            time.sleep(0.002)
        if not os.path.exists(self.path("move")):
            say("%s has written no %s: is idTeam %d?" % (self.name, os.path.basename(self.path("move")), self.team))
        return None

    def end(self):
        self.close()

    def close(self):
        if not self.place:
            return
        with contextlib.suppress(Fault):
            if self.is_running():
                self.write_state("move 0\nend\n")
        self.kill()
        shutil.rmtree(self.place, ignore_errors=True)
        self.place = None
