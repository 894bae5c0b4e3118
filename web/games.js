// games: the texts and settings of each game for the pages.
//
// The entries are in src/games/*/web.js, `export default {name: entry, …}`; the build adds them to this file
// (tools/game_pages.sh). Every field may be left out:
//   title, short     names in headings and in lists; without `short` a game is not in lists
//   edition          the name of this game among those of its folder, where there are several
//   line, goal(side) a phrase for the first page; what a player tries to do, `side` is the reader's or null
//   theme, manIs     colours of the board: wood, baize or slate; what X and O are drawn as: man or disc
//   letters, shapes  the letters of a position besides X, O and #: {F: ['flag', 'black']}, a piece of neither side: ['stone', '']; how
//                    these pieces are drawn, within 30 of 0|0: {flag: (svg) => […]}
//   fixed            the pieces that never move
//   token            the piece next to a player's name
//   unit, scale      what scores count, in words; the score in hundredths that is as good as three games of four
//   score            how a result is shown: both (5 to 3), difference (by 8) or none
//   endings          why a game ended, where it takes more than the phrase of the rules: a function of {outcome, black, white, letters, person, title}
//   facts            what the evaluation looks at
//   hasBudgets       a position ends with both budgets, and moves cost
//   numbers, numbersAt(side, numbers)  what the numbers at the end of a position are; those that fit a side to move
//   isFlippedForWhite the board is turned over for White
//   countsLateMoves  a late move counts
//   chain, choose    words for a move of several steps; what a player is asked to do first
//   lesson           a picture of how men move: {position, label} and marks as in Board.mark
//   holdings(…)      what a side has: pairs of a number and a word; see players.js
//   noPlace(piece, square), noWay(from, to, {isChain, isLonger})  why a square cannot be chosen. noPlace: moves are one square
//   protocols, faults  for the page about agents: what follows lateness, an illegal move and a crash
//   kit              {protocol, file, team, change}: what `plum new` writes: the source without its ending, its team, what to improve in it
//   rules({h, list, auctionPicture}), tries   the page of rules; boards to try: pairs of a position and a sentence
//   hasPuzzles       there is a set of puzzles, puzzles/NAME.txt in the folder
//   hasDemo          there are records of a tournament to watch, demo/NAME.txt in the folder (tools/demo.sh)
//   sample, show     a position to look at; a game to watch: {start, plies}

const PLAIN = {
  theme: 'slate', manIs: 'man', token: 'man', unit: 'points', scale: 500, score: 'both', facts: 'what it sees on the board', protocols: [],
  chain: {one: 'step', many: 'steps', more: 'Continue, or play', last: 'No further step: play'},
  choose: 'choose one of your pieces', goal: () => '', rules: () => [], tries: [], letters: {}, shapes: {}, fixed: [], endings: {}, numbers: [], numbersAt: (side, numbers) => numbers,
  holdings: ({count, counted}) => [counted(count('man'), 'piece', 'pieces')],
  noWay: (from, to) => `From ${from} there is no way to ${to}.`,
};

const entries = new Map();

const folders = [];

export function addGames(games) {
  folders.push(Object.keys(games));
  for (const [name, entry] of Object.entries(games)) entries.set(name, {title: name, ...PLAIN, ...entry});
}

// Why games end, in phrases of the rules: {endings, losses} by game, as in the list of games.
const phrases = new Map();

export const learnPhrases = (infos) => infos.forEach((info) => phrases.set(info.name, info));

export const phrasesOf = (name) => phrases.get(name) || {endings: {}, losses: {}};

export const gameOf = (name) => entries.get(name) || {title: name, ...PLAIN};

// The names of the games of one folder: editions of one game.
export const editionsOf = (name) => folders.find((names) => names.includes(name)) || [name];

export const isDescribed = (name) => entries.has(name);

export const firstGame = () => entries.keys().next().value;

// [name, entry] of the games that have this field, in the order of their folders.
export const gamesWith = (field) => [...entries].filter(([, entry]) => entry[field]);

export const shortNames = (games) => games.map(([, entry]) => entry.short).filter(Boolean);

const NUMBERS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten'];

const inWords = (count) => NUMBERS[count] || String(count);

export const numberOfGames = () => inWords(entries.size);

// Their names in lists; where only one game of a folder has such a name, the others are editions of it.
export const namesOfGames = () => folders.flatMap((names) => {
  const listed = shortNames(names.map((name) => [name, gameOf(name)]));
  return listed.length === 1 && names.length > 1 ? [`${listed[0]} in ${inWords(names.length)} editions`] : listed;
});
