// replay: shows a game move by move in a dialog. In the address, #game-12-34 is game 12 after
// 34 moves.

const SQUARE = 60;
const dialog = $("replay");
// The game that is shown: its turns, and the cells and the phrase before the first and after each.
const replay = { game: null, turns: [], boards: [], phrases: [], at: 0, timer: 0, squares: [] };

// --- Recorded games ---

function withNumbers(phrase, news) {
  if (!/^[\d,]+$/.test(news)) return news;
  const numbers = news.split(",");
  return phrase.replace(/\d+/g, () => numbers.shift());
}

function withChanges(cells, changes) {
  const changed = [...cells];
  for (let i = 0; changes !== "-" && i < changes.length; i += 3) {
    changed[Number(changes[i]) * board.columns + Number(changes[i + 1])] = changes[i + 2];
  }
  return changed;
}

const known = (word) => (word === "-" ? null : word);

function readReplay(text) {
  const [first, ...lines] = text.split("\n").filter(Boolean);
  const [cells, ...phrase] = first.split(" ");
  replay.boards = [[...(cells === "-" ? board.start : cells)]];
  replay.phrases = [phrase.join(" ")];
  replay.turns = [];
  for (const line of lines) {
    const [side, move, ms, fault, changes, ...rest] = line.split(" ");
    replay.turns.push({ side, move: known(move), ms: known(ms) && Number(ms), fault: known(fault) });
    replay.boards.push(withChanges(replay.boards.at(-1), changes));
    replay.phrases.push(rest.length ? withNumbers(replay.phrases.at(-1), rest.join(" ")) : replay.phrases.at(-1));
  }
}

// --- Drawing ---

function label(x, y, text) {
  const node = svg("text", { x, y });
  node.textContent = text;
  return node;
}

function drawBoard() {
  const width = board.columns * SQUARE;
  const height = board.rows * SQUARE;
  const root = svg("svg", { viewBox: `-30 -30 ${width + 44} ${height + 44}`, role: "img" });
  root.append(svg("rect", { x: -8, y: -8, width: width + 16, height: height + 16, rx: 10, fill: board.frame }));
  replay.squares = board.grounds.map((_, square) => {
    const x = (square % board.columns) * SQUARE;
    const y = Math.floor(square / board.columns) * SQUARE;
    const ground = svg("rect", { x, y, width: SQUARE, height: SQUARE });
    const piece = svg("use", { x: x + SQUARE / 2, y: y + SQUARE / 2 });
    root.append(ground, piece);
    return { ground, piece };
  });
  for (let i = 0; i < board.columns; i++) root.append(label(i * SQUARE + SQUARE / 2, -15, i));
  for (let i = 0; i < board.rows; i++) root.append(label(-20, i * SQUARE + SQUARE / 2 + 5, i));
  $("r-board").replaceChildren(root);
}

function squaresOf(turn) {
  if (!/^\d\d(-\d\d)*$/.test(turn?.move ?? "")) return new Set();
  return new Set(turn.move.split("-").map((square) => Number(square[0]) * board.columns + Number(square[1])));
}

function paint(cells, marks) {
  replay.squares.forEach(({ ground, piece }, square) => {
    const letter = cells[square];
    const colours = marks.has(square) ? board.marks : board.grounds;
    ground.setAttribute("fill", letter === "#" ? board.frame : colours[square]);
    if (letter === "." || letter === "#") piece.removeAttribute("href");
    else piece.setAttribute("href", `#piece-${letter.charCodeAt(0)}`);
  });
}

function describe(at) {
  const turn = replay.turns[at - 1];
  if (!turn) return "The start";
  const who = turn.side === "b" ? `Black, ${nameOf(replay.game.black)}` : `White, ${nameOf(replay.game.white)}`;
  const parts = [`${at}. ${who}: ${turn.move ?? "no move"}`];
  if (turn.ms !== null) parts.push(seconds(turn.ms));
  if (turn.fault) parts.push(`fault: ${turn.fault}`);
  return parts.join(", ");
}

function markInList() {
  const list = $("r-moves");
  const current = list.children[replay.at]?.firstChild;
  list.querySelector("[aria-current]")?.removeAttribute("aria-current");
  current?.setAttribute("aria-current", "true");
  if (current) list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
}

function show(at) {
  replay.at = Math.max(0, Math.min(at, replay.turns.length));
  const words = describe(replay.at);
  paint(replay.boards[replay.at], squaresOf(replay.turns[replay.at - 1]));
  $("r-move").replaceChildren(words, el("br"), el("span", { class: "faint" }, replay.phrases[replay.at]));
  $("r-board").firstChild.setAttribute("aria-label", `Board after: ${words}`);
  $("r-slider").value = replay.at;
  $("r-slider").setAttribute("aria-valuetext", words);
  markInList();
  history.replaceState(null, "", `#game-${replay.game.number}-${replay.at}`);
  if (replay.at === replay.turns.length) stop();
}

// --- Playing ---

function setPlaying(isPlaying) {
  $("r-play").textContent = isPlaying ? "❚❚ pause" : "▶ play";
  $("r-play").setAttribute("aria-label", isPlaying ? "Pause" : "Play");
}

function stop() {
  clearInterval(replay.timer);
  replay.timer = 0;
  setPlaying(false);
}

function start() {
  if (replay.at === replay.turns.length) show(0);
  replay.timer = setInterval(() => show(replay.at + 1), Number($("r-speed").value));
  setPlaying(true);
}

function goTo(at) {
  stop();
  show(at);
}

// --- Which game ---

function listMoves() {
  const item = (at, ...inside) => {
    const button = el("button", { type: "button", tabindex: "-1" }, el("span", { class: "n" }, String(at)), ...inside);
    button.addEventListener("click", () => goTo(at));
    return el("li", {}, button);
  };
  const turnItem = (turn, index) => item(index + 1, el("span", {}, pawn(turn.side)),
    el("span", { class: "m" }, turn.move ?? "–", turn.fault ? el("span", { class: "bad" }, ` ${turn.fault}`) : null),
    el("span", { class: "t" }, turn.ms === null ? "" : seconds(turn.ms)));
  $("r-moves").replaceChildren(item(0, el("span", { class: "m" }, "start")), ...replay.turns.map(turnItem));
}

function load(game) {
  const forfeit = game.forfeit ? ", decided by a fault" : "";
  const annulled = game.status === "annulled" ? " Annulled: it does not count." : "";
  stop();
  replay.game = game;
  $("r-title").textContent = `${nameOf(game.black)} – ${nameOf(game.white)}  ${resultWord(game)}`;
  $("r-lead").textContent = `Game ${game.number}, round ${game.round}. Black: ${nameOf(game.black)}. ` +
    `Score ${scoreWord(game)}, ${endingWord(game)}${forfeit}${judgedTags(game).join("")}.${annulled}`;
  readReplay(game.moves ?? ".".repeat(board.rows * board.columns));
  drawBoard();
  listMoves();
  $("r-slider").max = replay.turns.length;
}

function open(game, at) {
  if (replay.game?.number !== game.number) load(game);
  if (!dialog.open) {
    dialog.showModal();
    $("r-play").focus();
  }
  show(at);
}

// The next game among those of the team that is shown, or among all.
async function openNeighbour(direction) {
  const { number } = replay.game;
  const listed = teamView.games.findIndex((game) => game.number === number);
  const find = async () => {
    if (listed >= 0) return teamView.games[listed + direction]?.number;
    let next = number + direction;
    while (next >= 1 && next <= data.game_count && !(await loadGame(next)).result) next += direction;
    return next >= 1 && next <= data.game_count ? next : undefined;
  };
  const next = await find();
  const game = next && (await loadGame(next));
  if (game && dialog.open && replay.game.number === number) open(game, 0);
}

// --- Buttons and keys ---

const actions = {
  first: () => goTo(0),
  back: () => goTo(replay.at - 1),
  play: () => (replay.timer ? stop() : start()),
  next: () => goTo(replay.at + 1),
  last: () => goTo(replay.turns.length),
  nextGame: () => attempt(() => openNeighbour(1)),
  previousGame: () => attempt(() => openNeighbour(-1)),
};

const keys = {
  ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play",
  n: "nextGame", N: "nextGame", p: "previousGame", P: "previousGame",
};

dialog.addEventListener("keydown", (event) => {
  const action = actions[keys[event.key]];
  if (!action || event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
  event.preventDefault();
  action();
});
dialog.addEventListener("click", (event) => {
  const button = event.target.closest("[data-go]");
  if (button) actions[button.dataset.go]();
  else if (event.target === dialog) dialog.close();
});
dialog.addEventListener("close", () => {
  stop();
  if (location.hash.startsWith("#game-")) history.replaceState(null, "", viewAddress());
});
$("r-close").addEventListener("click", () => dialog.close());
$("r-slider").addEventListener("input", () => goTo(Number($("r-slider").value)));
$("r-speed").addEventListener("change", () => {
  if (!replay.timer) return;
  stop();
  start();
});
