// tables: tables that the overview and the pages of the teams share.

const ROWS_AT_ONCE = 50;
const GAMES_AT_ONCE = 100;

const column = (text, title, attributes = {}) => el("th", { scope: "col", title, ...attributes }, text);
const teamColumn = (text = "Team") => column(text, null, { class: "team" });
const leftColumn = (text) => column(text, null, { class: "left" });
const cell = (text, attributes = {}) => el("td", attributes, typeof text === "number" ? String(text) : text);
const teamHead = (id) => el("th", { scope: "row", class: "team", title: nameOf(id) }, teamLink(id));

// A table that scrolls by itself where it is wider than the page.
function frame(label, table) {
  return showMore(el("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": label }, table));
}

// Fades the right side of a table that is cut there; its end may be in the padding.
function showMore(box) {
  const show = () => box.classList.toggle("has-more", box.scrollLeft + box.clientWidth + parseFloat(getComputedStyle(box).paddingRight) < box.scrollWidth - 1);
  const sizes = new ResizeObserver(show);
  for (const part of [box, ...box.children]) sizes.observe(part);
  new MutationObserver(() => [...box.children].forEach((part) => sizes.observe(part))).observe(box, { childList: true });
  box.addEventListener("scroll", show);
  return box;
}

document.querySelectorAll(".scroll").forEach(showMore); // the standings

function table(attributes, head, rows) {
  return el("table", attributes, el("thead", {}, el("tr", {}, ...head)), el("tbody", {}, ...rows));
}

// What is shown in part on the screen is whole on paper. Lists of games are not: they may be longer than a book.
const completions = new Map();
window.addEventListener("beforeprint", () => {
  for (const [place, complete] of completions) {
    if (place.isConnected) complete();
    else completions.delete(place);
  }
});

// The first items, and a button that adds more of them. It keeps the focus next to the new ones.
function moreButton(count, atOnce, add) {
  let shown = 0;
  const button = el("button", { type: "button" });
  const place = el("p", { class: "more" }, button);
  const showUpTo = (end) => {
    const from = shown;
    shown = Math.min(count, end);
    add(from, shown);
    button.textContent = `Show more (${count - shown} left)`;
    button.hidden = shown === count;
    if (shown === count) completions.delete(place);
  };
  completions.set(place, () => showUpTo(count));
  button.addEventListener("click", () => showUpTo(shown + atOnce));
  showUpTo(atOnce);
  return place;
}

function longTable(id, label, head, items, row) {
  const whole = table({ id }, head, []);
  const add = (from, to) => whole.tBodies[0].append(...items.slice(from, to).map(row));
  return [frame(label, whole), moreButton(items.length, ROWS_AT_ONCE, add)];
}

function longList(items, atOnce, itemOf) {
  const list = el("ul", { class: "list" });
  return [list, moreButton(items.length, atOnce, (from, to) => list.append(...items.slice(from, to).map(itemOf)))];
}

// --- Games ---

// "; the judge played 30 of its 30 moves", "; the judge skipped 200 of its 200 turns"; after a word about the team. "": none. `whose`
// replaces "its".
function judgedWords(game, team, whose = "its") {
  const judged = game.judge_moves?.[game.black === team ? 0 : 1];
  if (!judged) return "";
  return judged.skipped ? `; the judge skipped ${judged.skipped} of ${whose} ${plural(judged.of, "turn")}`
    : `; the judge played ${judged.played} of ${whose} ${plural(judged.of, "move")}`;
}

function judgedTags(game) {
  return [[game.black, "Black's"], [game.white, "White's"]].map(([team, whose]) => judgedWords(game, team, whose));
}

function gameRow(game) {
  const winner = { "1-0": game.black, "0-1": game.white }[game.result];
  const who = (id) => el("td", { class: `left who${id === winner ? " strong" : ""}`, title: nameOf(id) }, teamLink(id));
  const annulled = game.status === "annulled" ? el("span", { class: "tag calm" }, "annulled") : null;
  const forfeit = game.forfeit ? el("span", { class: "tag" }, "by fault") : null;
  return el("tr", {},
    cell(gameLink(game.number, String(game.number))), cell(gameLink(game.number, resultWord(game))),
    who(game.black), who(game.white), cell(scoreWord(game)),
    el("td", { class: "left why" }, endingWord(game), ...judgedTags(game), annulled, forfeit),
    cell(game.round), cell(game.plies), ...game.thinking_ms.map((ms) => cell(seconds(ms))),
    cell(faultsOf(game) || "–"));
}

// `source` yields games; they are asked for when they are shown.
async function showGames(place, id, source) {
  const side = (letter, name) => el("th", { scope: "col", class: "left" }, pawn(letter), ` ${name}`);
  const whole = table({ id }, [column("Game"), column("Result"), side("b", "Black"), side("w", "White"), column("Score"),
    leftColumn("Reason"), column("Round"), column("Moves"), column("Black's time"), column("White's time"), column("Faults")], []);
  const count = el("p", { class: "hint", role: "status" });
  const button = el("button", { type: "button", hidden: true }, "Show more");
  const games = source[Symbol.asyncIterator]?.() ?? source[Symbol.iterator]();
  let next = null;
  const showMore = async () => {
    const rows = [];
    for (next ??= await games.next(); !next.done && rows.length < GAMES_AT_ONCE; next = await games.next()) rows.push(gameRow(next.value));
    whole.tBodies[0].append(...rows);
    const shown = whole.tBodies[0].rows.length;
    count.textContent = next.done ? `${plural(shown, "game")}. Choose one to replay it.` :
      `The first ${shown} games. Choose one to replay it.`;
    button.hidden = next.done;
  };
  button.addEventListener("click", async () => {
    button.disabled = true; // a second click while a part is loaded would show its rows twice
    await attempt(showMore);
    button.disabled = false;
  });
  place.replaceChildren(count, frame("Games", whole), el("p", { class: "more" }, button));
  await showMore();
}
