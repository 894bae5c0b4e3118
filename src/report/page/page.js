// page: the data of the report, and functions that all its parts use.
//
// All contents come from three blocks of JSON in the page: the tournament as in report.json,
// how its board is drawn, and the games as texts (src/report/game_viewer.h). Text is always set as
// text, so nothing that a team chose can become markup. page.js, tables.js and replay.js are one
// script, in this order.

const $ = (id) => document.getElementById(id);
const [data, board, replays] = ["data", "board", "replays"].map((id) => JSON.parse($(id).textContent));
const teams = new Map(data.standings.map((row) => [row.team, row]));
const played = data.games.filter((game) => game.status === "played");

// Attributes that are null, undefined or false are left out.
function el(tag, attributes = {}, ...children) {
  const node = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (value === true) node.setAttribute(key, "");
    else if (value !== null && value !== undefined && value !== false) node.setAttribute(key, value);
  }
  node.append(...children.filter((child) => child !== null && child !== undefined));
  return node;
}

function svg(tag, attributes = {}) {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [key, value] of Object.entries(attributes)) node.setAttribute(key, value);
  return node;
}

const sum = (list) => list.reduce((a, b) => a + b, 0);
const plural = (count, word) => `${count} ${word}${count === 1 ? "" : "s"}`;
const minus = (number) => String(number).replace("-", "−");
const signed = (number) => (number > 0 ? `+${number}` : minus(number));

function seconds(ms) {
  const digits = ms < 10000 ? 2 : ms < 100000 ? 1 : 0;
  return `${(ms / 1000).toFixed(digits)} s`;
}

const nameOf = (id) => teams.get(id).name;
const countFaults = (faults) => sum(Object.values(faults));
const faultsOf = (game) => sum((game.faults ?? []).map(countFaults));
const resultWord = (game) => (game.result === "1/2-1/2" ? "½–½" : game.result.replace("-", "–"));
const scoreWord = (game) => game.score.map(minus).join(" : ");

// The rules of the ranking. Without an entry they are the course's.
const rules = {
  points: data.points ?? { win: 2, draw: 1, loss: 0, bye: 2 },
  tiebreaks: data.tiebreaks ?? ["wins", "differential", "buchholz", "sonneborn-berger", "direct"],
  areOwn: Boolean(data.points),
};

// "win", "draw", "loss", or "none" for a game that both lost.
function outcomeOf(game, id) {
  if (game.result === "1/2-1/2") return "draw";
  if (game.result === "0-0") return "none";
  return game.result === (game.black === id ? "1-0" : "0-1") ? "win" : "loss";
}

const pointsOf = (game, id) => rules.points[outcomeOf(game, id)] ?? 0;

const pawn = (side) => el("span", { class: `pawn ${side}`, "aria-hidden": "true" });
const gameLink = (number, text, ply) => el("a", { href: `#game-${number}${ply ? `-${ply}` : ""}` }, text);
