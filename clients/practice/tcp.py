# --- The judge's side of the connection ---
# All numbers are 32-bit little-endian. The agent connects to port 8888 and sends its team's number. A board is a code
# (0: stop), an id, 64 cells and whether it plays Black; an answer is a number of squares, the id, and the squares.

PORT = 8888
MOST_IN_ANSWER = 1000


def read_answer(data):
    """(id, list of (row, column), bytes used), or None while the answer is not complete."""
    if len(data) < 8:
        return None
    count, number = struct.unpack_from("<2i", data)
    if not 0 <= count <= MOST_IN_ANSWER:
        raise Fault("malformed", "an answer has 0 to %d squares, but its first number is %d" % (MOST_IN_ANSWER, count))
    if len(data) < 8 + 8 * count:
        return None
    numbers = struct.unpack_from("<%di" % (2 * count), data, 8)
    return number, list(zip(numbers[::2], numbers[1::2])), 8 + 8 * count


def check_answer(pairs):
    """The squares of an answer as a move."""
    if not SHORTEST_MOVE <= len(pairs) <= LONGEST_MOVE:
        raise Fault("invalid", "the answer names %d square%s; the shortest move in %s names %d, the longest %d"
                    % (len(pairs), "" if len(pairs) == 1 else "s", GAME, SHORTEST_MOVE, LONGEST_MOVE))
    for i, (row, column) in enumerate(pairs):
        if not (0 <= row < ROWS and 0 <= column < COLUMNS):
            raise Fault("invalid", "square (%d, %d), number %d of the answer, is off the board" % (row, column, i + 1))
    return tuple(row * COLUMNS + column for row, column in pairs)


class Agent(Process):
    listener = None

    def __init__(self, command, team, title):
        Process.__init__(self, command, team, title)
        self.link, self.data, self.board, self.asked, self.answered, self.begun = None, b"", b"", 0, set(), 0.0
        if not Agent.listener:
            Agent.listener = socket.socket()
            if os.name == "posix":
                Agent.listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            try:
                Agent.listener.bind(("127.0.0.1", PORT))
            except OSError:
                sys.exit("practice: port %d is in use: does another judge or practice.py run?" % PORT)
            Agent.listener.listen(5)

    def begin(self):
        """A program plays all games; one that has ended is started again."""
        if self.link and self.is_running():
            return
        self.close()
        self.asked, self.answered = 0, set()
        self.start(self.folder)
        deadline = time.perf_counter() + STARTUP_LIMIT
        while not self.accept():
            self.check_is_running()
            if time.perf_counter() > deadline:
                raise Fault("late", "it did not start within %.3f s: it must connect to port %d and send its team's number"
                            % (STARTUP_LIMIT, PORT))

    def accept(self):
        """Whether the agent has connected."""
        try:
            Agent.listener.settimeout(0.05)
            link = Agent.listener.accept()[0]
            link.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            link.settimeout(2)
            team = struct.unpack("<i", link.recv(4))[0]
        except (OSError, struct.error):
            return False
        if team != self.team:
            say("%s calls itself team %d, not %d; it plays on" % (self.name, team, self.team))
        self.link, self.data = link, b""
        return True

    def disconnect(self):
        if self.link:
            self.link.close()
        self.link = None

    def send(self, data):
        try:
            if self.link:
                self.link.settimeout(2)
                self.link.sendall(data)
        except OSError:
            self.disconnect()

    def ask(self, state):
        self.asked += 1
        self.board = struct.pack("<67i", 1, self.asked, *(wire(state) + [1 - to_move(state)]))
        self.begun = time.perf_counter()
        self.send(self.board)

    def take_answer(self):
        """The answer to the last board, if it is there. One that came too late is dropped."""
        while True:
            answer = read_answer(self.data)
            if not answer:
                return None
            number, pairs, used = answer
            self.data = self.data[used:]
            if not 1 <= number <= self.asked:
                raise Fault("hostile", "an answer to package %d, which was never sent" % number)
            if number in self.answered:
                raise Fault("hostile", "a second answer to package %d" % number)
            self.answered.add(number)
            if number == self.asked:
                return check_answer(pairs)

    def wait(self, seconds):
        try:
            while True:
                move = self.take_answer()
                left = self.begun + seconds - time.perf_counter()
                if move is not None or left <= 0:
                    return move
                self.receive(min(left, 0.05))
        except Fault as fault:
            if fault.kind != "invalid":
                self.close()
            raise

    def receive(self, seconds):
        """Reads what comes. After a lost connection the same board is sent again."""
        if not self.link:
            if self.accept():
                self.send(self.board)
            else:
                self.check_is_running()
            return
        try:
            self.link.settimeout(seconds)
            data = self.link.recv(65536)
            self.data += data
        except socket.timeout:
            return
        except OSError:
            data = b""
        if not data:
            self.disconnect()

    def close(self):
        self.send(struct.pack("<2i", 0, 0))
        self.disconnect()
        self.kill()
