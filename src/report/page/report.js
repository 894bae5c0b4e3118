"use strict";
// The report page. All that is shown comes from three blocks of JSON above: the tournament as in
// report.json, how its board is drawn, and the games as films (src/report/film.h). Text is only
// ever set as text, so nothing that a team chose can become markup.
(() => {
  const read = (id) => JSON.parse(document.getElementById(id).textContent);
  const data = read("data"), board = read("board"), films = read("films");
  const $ = (id) => document.getElementById(id);
  const team = new Map(data.teams.map((t) => [t.id, t]));
  const played = data.games.filter((g) => g.status === "played");
  const PAGE = 100;

  // --- Helpers ---
  function el(tag, attributes = {}, ...children) {
    const node = document.createElement(tag);
    for (const [key, value] of Object.entries(attributes)) {
      if (value === true) node.setAttribute(key, "");
      else if (value !== undefined && value !== null && value !== false) node.setAttribute(key, value);
    }
    node.append(...children.filter((c) => c !== null && c !== undefined));
    return node;
  }
  function svg(tag, attributes = {}) {
    const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
    for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
    return node;
  }
  const signed = (n) => (n > 0 ? "+" + n : n < 0 ? "−" + -n : "0");
  const seconds = (ms) => (ms < 10000 ? (ms / 1000).toFixed(2) : ms < 100000 ? (ms / 1000).toFixed(1) : Math.round(ms / 1000)) + " s";
  const plural = (n, word) => n + " " + word + (n === 1 ? "" : "s");
  const nameOf = (id) => team.get(id).name;
  const sum = (list) => list.reduce((a, b) => a + b, 0);
  const faultsOf = (g) => (g.faults ? g.faults[0] + g.faults[1] : 0);
  const pointsOf = (g, id) => (g.result === "1/2-1/2" ? 1 : (g.result === "1-0") === (g.black === id) ? 2 : 0);
  const resultWord = (g) => (g.result === "1/2-1/2" ? "½–½" : g.result.replace("-", "–"));
  const scoreWord = (g) => g.score.map((n) => (n < 0 ? "−" + -n : n)).join(" : ");
  const gameLink = (g, text) => el("a", { href: "#game-" + g.number }, text);
  const pawn = (side) => el("span", { class: "pawn " + side, "aria-hidden": "true" });

  function fill(id, head, rows) {
    $(id).replaceChildren(el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
  }
  const column = (text, title, attributes = {}) => el("th", { scope: "col", title, ...attributes }, text);
  const rowHead = (t) => el("th", { scope: "row", class: "team", title: t.name }, t.name, ...tags(t));
  function tags(t) {
    const list = [];
    if (!t.qualified && t.played) list.push(el("span", { class: "tag", title: "finished no game without a fault of its own" }, "not qualified"));
    if (t.withdrawn_after !== null) list.push(el("span", { class: "tag calm" }, "withdrawn"));
    return list;
  }

  // --- The head ---
  function renderHead() {
    const formats = { "double-round-robin": "double round robin", swiss: "Swiss system", gauntlet: "gauntlet", knockout: "knockout" };
    const dates = played.map((g) => g.ended).filter(Boolean).sort();
    const days = dates.length ? [dates[0].slice(0, 10), dates[dates.length - 1].slice(0, 10)] : [];
    const when = days.length ? (days[0] === days[1] ? days[0] : days.join(" to ")) : "";
    $("lead").textContent = [data.game, formats[data.format], when].filter(Boolean).join(" · ");
    const facts = [
      ["State", data.finished ? "finished" : "in progress"],
      ["Teams", data.teams.length],
      ["Games", data.finished ? played.length : played.length + " of " + data.games_total],
      ["Rounds", data.rounds],
      ["Moves a game", played.length ? Math.round(sum(played.map((g) => g.plies)) / played.length) : "–"],
      ["Faults", data.faults.length],
      ["Winner", data.finished ? data.teams[0].name : "–"],
    ];
    $("facts").replaceChildren(...facts.map(([term, value]) => el("div", {}, el("dt", {}, term), el("dd", {}, String(value)))));
  }

  // --- Standings ---
  const FIGURES = [
    ["points", "Points", "2 for a win, 1 for a draw"],
    ["wins", "Won", "games won, those of byes too"],
    ["differential", "Diff", "own scores minus opponents' scores"],
    ["buchholz", "Buchholz", "Buchholz cut-1: the opponents' points, without the least"],
    ["sonneborn-berger", "S-B", "Sonneborn-Berger: points made times the opponent's points"],
    ["direct", "Direct", "points against those that are equal so far, if all of them met"],
    ["lot", "Lot", "drawn from the tournament's seed"],
  ];
  function figureCell(t, key) {
    const value = t.figures[key];
    const text = value === null ? "–" : key === "differential" ? signed(value) : String(value);
    const decides = t.decided_by === key && t.place > 1 && key !== "points";
    return el("td", { class: decides ? "decides" : key === "points" ? "strong" : null, title: decides ? "put it below " + data.teams[t.place - 2].name : null }, text);
  }
  function renderStandings() {
    const head = [column("#", "place"), column("Team", null, { class: "team" }), ...FIGURES.slice(0, 2).map(([, name, title]) => column(name, title)),
      column("Drawn"), column("Lost"), ...FIGURES.slice(2).map(([, name, title]) => column(name, title)), column("Elo", "rating"), column("Faults")];
    const rows = data.teams.map((t) => el("tr", {},
      el("td", { class: "strong" }, String(t.place)), rowHead(t), ...FIGURES.slice(0, 2).map(([key]) => figureCell(t, key)),
      el("td", {}, String(t.drawn)), el("td", {}, String(t.lost)), ...FIGURES.slice(2).map(([key]) => figureCell(t, key)),
      el("td", {}, t.rating ? signed(t.rating.elo) + " ± " + t.rating.error : "–"),
      el("td", {}, String(sum(Object.values(t.faults)) || "–"))));
    fill("t-standings", head, rows);
    const ties = data.teams.some((t) => t.decided_by && t.decided_by !== "points");
    const byes = data.teams.some((t) => t.byes);
    $("standings-hint").textContent =
      (ties ? "Teams with equal points are ordered by the columns from left to right; the marked figure decided. " : "") +
      (byes ? "A bye counts as won, against somebody with as many points as the team itself." : "");
  }

  // --- Rating ---
  function renderRating() {
    const rated = data.teams.filter((t) => t.rating).sort((a, b) => b.rating.elo - a.rating.elo);
    if (!rated.length) { $("p-rating").replaceChildren(el("p", {}, "No games yet.")); return; }
    const low = Math.min(...rated.map((t) => t.rating.elo - t.rating.error));
    const high = Math.max(...rated.map((t) => t.rating.elo + t.rating.error));
    const at = (elo) => (100 * (elo - low)) / (high - low || 1);
    const grid = el("div", { class: "elo" });
    for (const t of rated) {
      const { elo, error, stronger_than_next } = t.rating;
      const bar = el("span", { class: "bar" }), dot = el("span", { class: "dot" });
      bar.style.left = at(elo - error) + "%";
      bar.style.width = at(elo + error) - at(elo - error) + "%";
      dot.style.left = at(elo) + "%";
      const title = t.name + ": Elo " + signed(elo) + ", between " + signed(elo - error) + " and " + signed(elo + error) +
        (stronger_than_next === undefined ? "" : "; stronger than the next in the standings with a probability of " + (100 * stronger_than_next).toFixed(1) + " %");
      const track = el("div", { class: "track", role: "img", "aria-label": title, title }, bar, dot);
      track.style.setProperty("--zero", at(0) + "%");
      grid.append(el("div", { class: "who", title: t.name }, t.name), track, el("div", { class: "num" }, signed(elo) + " ± " + error));
    }
    const axis = el("div", { class: "axis", "aria-hidden": "true" });
    const step = [25, 50, 100, 200, 250, 500, 1000, 2000].find((s) => (high - low) / s <= 5) || 5000;
    for (let elo = Math.ceil(low / step) * step; elo <= high; elo += step) {
      const tick = el("span", {}, signed(elo));
      tick.style.left = at(elo) + "%";
      axis.append(tick);
    }
    grid.append(el("div"), axis, el("div"));
    $("p-rating").replaceChildren(grid);
  }

  // --- Cross-table and rounds ---
  const kind = (points, games) => (points > games ? "win" : points === games ? "draw" : "loss");
  function pairLink(a, b, text, games) {
    const link = el("a", { href: "#games", "aria-label": nameOf(a) + " against " + nameOf(b) + ": " + text + " points in " + plural(games, "game") }, text);
    link.addEventListener("click", () => { $("f-team").value = a; $("f-other").value = b; $("f-round").value = ""; $("f-faults").checked = false; renderGames(); });
    return link;
  }
  function renderCross() {
    const met = new Map();
    const add = (a, b, points) => { const key = a + "\n" + b, old = met.get(key) || [0, 0]; met.set(key, [old[0] + points, old[1] + 1]); };
    for (const g of played) { add(g.black, g.white, pointsOf(g, g.black)); add(g.white, g.black, pointsOf(g, g.white)); }
    const head = [column("Team", null, { class: "team" }), ...data.teams.map((t) => column(String(t.place), t.name))];
    const rows = data.teams.map((a) => el("tr", {}, el("th", { scope: "row", class: "team", title: a.name }, el("small", {}, a.place + "  "), a.name),
      ...data.teams.map((b) => {
        const found = met.get(a.id + "\n" + b.id);
        if (a === b) return el("td", { class: "self" });
        return found ? el("td", { class: kind(...found) }, pairLink(a.id, b.id, String(found[0]), found[1])) : el("td");
      })));
    fill("t-cross", head, rows);
  }
  function renderRounds() {
    if (data.format !== "swiss" && data.format !== "knockout") return;
    $("rounds").hidden = false;
    document.querySelector('nav a[href="#rounds"]').hidden = false;
    const last = Math.max(0, ...data.games.map((g) => g.round), ...data.byes.map((b) => b.round));
    const cell = (t, round) => {
      if (data.byes.some((b) => b.round === round && b.team === t.id)) return el("td", { class: "win" }, "bye");
      const games = played.filter((g) => g.round === round && (g.black === t.id || g.white === t.id));
      if (!games.length) return el("td", { class: "faint" }, "·");
      const other = games[0].black === t.id ? games[0].white : games[0].black;
      const points = sum(games.map((g) => pointsOf(g, t.id)));
      const text = points + " v " + team.get(other).place;
      return el("td", { class: kind(points, games.length), title: "against " + nameOf(other) }, pairLink(t.id, other, text, games.length));
    };
    const rounds = Array.from({ length: last }, (_, i) => i + 1);
    fill("t-rounds", [column("Team", null, { class: "team" }), ...rounds.map((r) => column("Round " + r))],
      data.teams.map((t) => el("tr", {}, el("th", { scope: "row", class: "team", title: t.name }, el("small", {}, t.place + "  "), t.name), ...rounds.map((r) => cell(t, r)))));
  }

  // --- Games ---
  let shown = PAGE;
  function chosenGames() {
    const a = $("f-team").value, b = $("f-other").value, round = $("f-round").value;
    const has = (g, id) => !id || g.black === id || g.white === id;
    return data.games.filter((g) => g.result && has(g, a) && has(g, b) && (!round || String(g.round) === round) && (!$("f-faults").checked || faultsOf(g)));
  }
  function gameRow(g) {
    const winner = g.result === "1-0" ? g.black : g.result === "0-1" ? g.white : null;
    const who = (id) => el("td", { class: "left who" + (id === winner ? " strong" : ""), title: nameOf(id) }, nameOf(id));
    return el("tr", {},
      el("td", {}, gameLink(g, String(g.number))), el("td", {}, String(g.round)), who(g.black), who(g.white),
      el("td", {}, gameLink(g, resultWord(g))), el("td", {}, scoreWord(g)),
      el("td", { class: "left" }, g.reason, g.status === "annulled" ? el("span", { class: "tag calm" }, "annulled") : null, g.forfeit ? el("span", { class: "tag" }, "by fault") : null),
      el("td", {}, String(g.plies)), el("td", {}, seconds(g.thinking_ms[0])), el("td", {}, seconds(g.thinking_ms[1])), el("td", {}, String(faultsOf(g) || "–")));
  }
  function renderGames(keep) {
    if (!keep) shown = PAGE;
    const games = chosenGames();
    fill("t-games", [column("Game"), column("Round"), el("th", { scope: "col", class: "left" }, pawn("b"), " Black"), el("th", { scope: "col", class: "left" }, pawn("w"), " White"),
      column("Result"), column("Score"), column("Reason", null, { class: "left" }), column("Moves"), column("Black's time"), column("White's time"), column("Faults")],
    games.slice(0, shown).map(gameRow));
    $("games-count").textContent = plural(games.length, "game") + (games.length > shown ? ", the first " + shown + " shown" : "") + ". Choose one to replay it.";
    $("games-more").hidden = games.length <= shown;
  }
  function setUpGames() {
    const options = (id, all, list) => $(id).replaceChildren(el("option", { value: "" }, all), ...list.map(([value, text]) => el("option", { value }, text)));
    const names = data.teams.map((t) => [t.id, t.name]).sort((a, b) => a[1].localeCompare(b[1], undefined, { numeric: true }));
    options("f-team", "all", names);
    options("f-other", "all", names);
    options("f-round", "all", [...new Set(data.games.map((g) => g.round))].sort((a, b) => a - b).map((r) => [r, r]));
    $("filter").addEventListener("change", () => renderGames());
    $("filter").addEventListener("submit", (event) => event.preventDefault());
    $("games-more").addEventListener("click", () => { shown += PAGE; renderGames(true); });
    renderGames();
  }

  // --- Faults and times ---
  function renderFaults() {
    if (!data.faults.length) { $("p-faults").replaceChildren(el("p", {}, "None: every program answered in time and by the rules.")); return; }
    const kinds = Object.keys(data.teams[0].faults).filter((k) => data.teams.some((t) => t.faults[k]));
    const guilty = data.teams.filter((t) => sum(Object.values(t.faults)));
    const table = el("table", { id: "t-faults" });
    const count = el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Faults by team" }, table);
    const items = data.faults.map((f) => el("li", {}, el("a", { href: "#game-" + f.game + "-" + f.ply }, "game " + f.game + ", move " + f.ply), ": ", nameOf(f.team), ", ", el("strong", {}, f.kind),
      f.time_ms === null ? "" : " after " + seconds(f.time_ms), f.why ? el("span", { class: "faint" }, " (" + f.why + ")") : null));
    const list = el("ul", { class: "list" }, ...items.slice(0, 20));
    const more = el("details", {}, el("summary", {}, "All " + items.length), el("ul", { class: "list" }, ...items.slice(20)));
    $("p-faults").replaceChildren(count, list, ...(items.length > 20 ? [more] : []));
    fill("t-faults", [column("Team", null, { class: "team" }), ...kinds.map((k) => column(k))],
      guilty.map((t) => el("tr", {}, rowHead(t), ...kinds.map((k) => el("td", {}, String(t.faults[k] || "–"))))));
  }
  function renderTimes() {
    const most = Math.max(1, ...data.teams.map((t) => t.thinking_ms / (t.played || 1)));
    fill("t-times", [column("Team", null, { class: "team" }), column("Games"), column("In all"), column("A game"), el("td"), column("Slowest move"), column("Where")],
      data.teams.map((t) => {
        const each = t.thinking_ms / (t.played || 1);
        const bar = el("i");
        bar.style.width = (100 * each) / most + "%";
        return el("tr", {}, rowHead(t), el("td", {}, String(t.played)), el("td", {}, seconds(t.thinking_ms)), el("td", {}, seconds(each)), el("td", { class: "left" }, el("span", { class: "meter", "aria-hidden": "true" }, bar)),
          el("td", {}, seconds(t.slowest_ms)), el("td", {}, t.slowest_game === null ? "–" : el("a", { href: "#game-" + t.slowest_game }, "game " + t.slowest_game)));
      }));
  }

  // --- The replay ---
  const replay = { game: null, turns: [], boards: [], phrases: [], at: 0, timer: 0, squares: [] };
  const dialog = $("replay");
  const UNIT = 60;

  function develop(film) {
    const lines = film.split("\n").filter(Boolean);
    const start = lines[0].split(" ");
    let cells = [...start[0]], phrase = start.slice(1).join(" ");
    replay.boards = [cells]; replay.phrases = [phrase]; replay.turns = [];
    for (const line of lines.slice(1)) {
      const [side, move, ms, fault, changes, ...rest] = line.split(" ");
      cells = [...cells];
      if (changes !== "-") for (let i = 0; i < changes.length; i += 3) cells[+changes[i] * board.columns + +changes[i + 1]] = changes[i + 2];
      if (rest.length) phrase = rest.join(" ");
      replay.turns.push({ side, move: move === "-" ? null : move, ms: ms === "-" ? null : +ms, fault: fault === "-" ? null : fault });
      replay.boards.push(cells); replay.phrases.push(phrase);
    }
  }
  function drawBoard() {
    const width = board.columns * UNIT, height = board.rows * UNIT;
    const root = svg("svg", { viewBox: `-30 -30 ${width + 44} ${height + 44}`, role: "img" });
    root.append(svg("rect", { x: -8, y: -8, width: width + 16, height: height + 16, rx: 10, fill: board.frame }));
    replay.squares = [];
    for (let square = 0; square < board.rows * board.columns; square++) {
      const x = (square % board.columns) * UNIT, y = Math.floor(square / board.columns) * UNIT;
      const ground = svg("rect", { x, y, width: UNIT, height: UNIT });
      const piece = svg("use", { x: x + UNIT / 2, y: y + UNIT / 2 });
      root.append(ground, piece);
      replay.squares.push({ ground, piece });
    }
    for (let i = 0; i < board.columns; i++) { const t = svg("text", { x: i * UNIT + 30, y: -15 }); t.textContent = i; root.append(t); }
    for (let i = 0; i < board.rows; i++) { const t = svg("text", { x: -20, y: i * UNIT + 35 }); t.textContent = i; root.append(t); }
    $("r-board").replaceChildren(root);
  }
  function squaresOf(turn) {
    if (!turn || !turn.move || !/^\d\d(-\d\d)*$/.test(turn.move)) return new Set();
    return new Set(turn.move.split("-").map((s) => +s[0] * board.columns + +s[1]));
  }
  function describe(at) {
    const turn = replay.turns[at - 1];
    if (!turn) return "The start";
    const who = (turn.side === "b" ? "Black" : "White") + ", " + nameOf(turn.side === "b" ? replay.game.black : replay.game.white);
    return at + ". " + who + ": " + (turn.move || "no move") + (turn.ms === null ? "" : ", " + seconds(turn.ms)) + (turn.fault ? ", fault: " + turn.fault : "");
  }
  function show(at, fromHash) {
    replay.at = Math.max(0, Math.min(at, replay.turns.length));
    const cells = replay.boards[replay.at], marks = squaresOf(replay.turns[replay.at - 1]);
    replay.squares.forEach(({ ground, piece }, square) => {
      const letter = cells[square];
      ground.setAttribute("fill", letter === "#" ? board.frame : marks.has(square) ? board.marks[square] : board.grounds[square]);
      if (letter === "." || letter === "#") piece.removeAttribute("href");
      else piece.setAttribute("href", "#piece-" + letter.charCodeAt(0));
    });
    const words = describe(replay.at);
    $("r-move").replaceChildren(words, el("br"), el("span", { class: "faint" }, replay.phrases[replay.at]));
    $("r-board").firstChild.setAttribute("aria-label", "Board after: " + words);
    $("r-slider").value = replay.at;
    $("r-slider").setAttribute("aria-valuetext", words);
    const list = $("r-moves");
    list.querySelector("[aria-current]")?.removeAttribute("aria-current");
    const current = list.children[replay.at]?.firstChild;
    if (current) {
      current.setAttribute("aria-current", "true");
      list.scrollTop = current.offsetTop - list.offsetTop - list.clientHeight / 2;
    }
    if (!fromHash) history.replaceState(null, "", "#game-" + replay.game.number + "-" + replay.at);
    if (replay.at === replay.turns.length) stop();
  }
  function stop() {
    clearInterval(replay.timer);
    replay.timer = 0;
    $("r-play").textContent = "▶ play";
    $("r-play").setAttribute("aria-label", "Play");
  }
  function play() {
    if (replay.timer) { stop(); return; }
    if (replay.at === replay.turns.length) show(0);
    replay.timer = setInterval(() => show(replay.at + 1), +$("r-speed").value);
    $("r-play").textContent = "❚❚ pause";
    $("r-play").setAttribute("aria-label", "Pause");
  }
  function listMoves() {
    const item = (at, ...inside) => {
      const button = el("button", { type: "button", tabindex: "-1" }, ...inside);
      button.addEventListener("click", () => { stop(); show(at); });
      return el("li", {}, button);
    };
    $("r-moves").replaceChildren(item(0, el("span", { class: "n" }, "0"), el("span", { class: "m" }, "start")),
      ...replay.turns.map((t, i) => item(i + 1, el("span", { class: "n" }, String(i + 1)), el("span", {}, pawn(t.side)),
        el("span", { class: "m" }, t.move || "–", t.fault ? el("span", { class: "bad" }, " " + t.fault) : null), el("span", { class: "t" }, t.ms === null ? "" : seconds(t.ms)))));
  }
  function open(number, at) {
    const game = data.games[number - 1], film = films[number - 1];
    if (!game || !game.result) return false;
    if (replay.game !== game) {
      stop();
      replay.game = game;
      $("r-title").textContent = nameOf(game.black) + " – " + nameOf(game.white) + "  " + resultWord(game);
      $("r-lead").textContent = "Game " + game.number + ", round " + game.round + ". Black: " + nameOf(game.black) + ". Score " + scoreWord(game) + ", " + game.reason +
        (game.forfeit ? ", decided by a fault" : "") + (game.status === "annulled" ? ". Annulled: it does not count" : "") + ".";
      develop(film || "." .repeat(board.rows * board.columns));
      drawBoard();
      listMoves();
      $("r-slider").max = replay.turns.length;
    }
    if (!dialog.open) { dialog.showModal(); $("r-play").focus(); }
    show(at === null ? 0 : at, true);
    return true;
  }
  function step(direction) {
    const list = chosenGames(), here = list.findIndex((g) => g.number === replay.game.number);
    const next = list[here + direction] || data.games.filter((g) => g.result && Math.sign(g.number - replay.game.number) === direction).at(direction > 0 ? 0 : -1);
    if (next) location.hash = "#game-" + next.number;
  }
  const actions = { first: () => { stop(); show(0); }, back: () => { stop(); show(replay.at - 1); }, next: () => { stop(); show(replay.at + 1); }, last: () => { stop(); show(replay.turns.length); }, play };
  const keys = { ArrowLeft: "back", ArrowRight: "next", Home: "first", End: "last", " ": "play" };
  dialog.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.tagName === "SELECT") return;
    const letter = event.key.toLowerCase();
    if (keys[event.key]) actions[keys[event.key]]();
    else if (letter === "n" || letter === "p") step(letter === "n" ? 1 : -1);
    else return;
    event.preventDefault();
  });
  dialog.addEventListener("click", (event) => {
    const go = event.target.closest("[data-go]");
    if (go) actions[go.dataset.go]();
    else if (event.target === dialog) dialog.close();
  });
  dialog.addEventListener("close", () => { stop(); if (location.hash.startsWith("#game-")) history.replaceState(null, "", "#games"); });
  $("r-close").addEventListener("click", () => dialog.close());
  $("r-slider").addEventListener("input", () => { stop(); show(+$("r-slider").value); });
  $("r-speed").addEventListener("change", () => { if (replay.timer) { stop(); play(); } });
  function followHash() {
    const found = /^#game-(\d+)(?:-(\d+))?$/.exec(location.hash);
    if (found) open(+found[1], found[2] === undefined ? null : +found[2]);
    else if (dialog.open) dialog.close();
  }
  window.addEventListener("hashchange", followHash);

  renderHead(); renderStandings(); renderRating(); renderCross(); renderRounds(); setUpGames(); renderFaults(); renderTimes();
  followHash();
})();
