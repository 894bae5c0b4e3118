// rules: each game explained, with boards to try it on.
import {h, clear} from './dom.js';
import {allGames, gameInfo} from './engine.js';
import {TITLES} from './board.js';
import {playground} from './playground.js';
import {envelope, explain} from './auction.js';

const list = (...items) => h('ul', {}, items.map((item) => h('li', {}, item)));

const hopText = (loops) => [
  h('p', {class: 'lead'}, 'Two groups of nine cross the board in opposite directions and take what they jump over.'),
  h('h2', {}, 'Where to'), h('p', {}, 'Black starts on the left and goes to the two dark columns on the right; White goes to the two light columns on the left.'),
  h('h2', {}, 'How'), list('A step takes one man to an empty square beside it, up, down, left or right. It ends the move.',
    'A hop jumps over a man of either colour to the empty square right behind it. The same man may hop on and on.',
    'An enemy that is jumped over is captured at once; an own man stays.',
    loops ? 'A chain may come back to a square it has visited, up to 99 hops in all.' : 'No square may be visited twice in one move, the first one included.',
    'Nothing is ever diagonal, and steps and hops do not mix.'),
  h('h2', {}, 'The end'), list('The game ends when either side has all its men, at least one, in its target columns; or when both have used 200 moves.',
    'Whoever has more men at home then wins. A side that cannot move loses its turn.',
    'Capturing the other side down to men that are already home ends the game, too: mind who is ahead.'),
];

const reversiText = [
  h('p', {class: 'lead'}, 'Reversi on a board whose four corners are missing, and which starts empty.'),
  h('h2', {}, 'How'), list('Any empty square of the inner 6 × 6 may be played on, whether it flips something or not.',
    'A square on the border may be played on only if that flips at least one disc.',
    'Every disc that is placed flips all enemy discs it encloses in a straight line, in all eight directions.',
    'Lines stop at the missing corners as they do at the edge.'),
  h('h2', {}, 'Passing'), h('p', {}, 'Who can play must play. Who cannot is passed over. When neither can, the game is over.'),
  h('h2', {}, 'The end'), h('p', {}, 'More discs win; equal numbers are a draw. The eight squares beside the missing corners can never be flipped: they are the corners of this game.'),
];

const othelloText = [
  h('p', {class: 'lead'}, 'The standard game: enclose the other side’s discs to turn them.'),
  h('h2', {}, 'How'), list('A disc may be placed only where it flips at least one enemy disc.', 'It flips all that it encloses in a straight line, in all eight directions.',
    'Who cannot play passes; when neither can, the game is over.'),
  h('h2', {}, 'The end'), h('p', {}, 'More discs win. Empty squares count for the winner.'),
];

// Two sealed bids, opened, and what follows.
function auctionPicture() {
  const bids = [{colour: 0, price: 40}, {colour: 0, price: 25}];
  const outcome = {colour: [0, 1], budget: [124, 150]};
  const names = ['Ann', 'Ben'];
  return h('figure', {class: 'auction-picture'}, h('div', {class: 'envelopes'}, bids.map((bid, at) => envelope(names[at], bid))),
    h('figcaption', {class: 'soft'}, explain(bids, outcome, names).join(' ')));
}

const meichuText = () => [
  h('p', {class: 'lead'}, 'Soldiers run in straight lines, walls cost money to break, and the colour itself is for sale.'),
  h('h2', {}, 'The auction'), list('Before the game each side names a colour and a price, once and sealed. Each has a budget of 150.',
    'Different colours: both get theirs for nothing.', 'The same colour: the higher price gets it and pays the lower price and one more. Equal prices: lots are drawn.',
    'A price above 140 counts as 140. A price may be negative: it is compared as it is, but pays as nothing, so whoever beats it pays 1.',
    'What is left of the two budgets stands beside the names, and at the end of a position’s text: Black’s first, then White’s.'),
  auctionPicture(),
  h('h2', {}, 'Moving'), list('Only soldiers move: any distance along a row or column over empty squares.',
    'They stop on an empty square, on an enemy soldier or the enemy flag, which they take, or on any barrier, which is removed.'),
  h('h2', {}, 'Money'), list('A move costs 1 and its distance.', 'Breaking an enemy barrier costs 3 more. Breaking an own barrier gives 3 back.',
    'Captures cost nothing extra. The budget must cover 1 and the distance before anything comes back.'),
  h('h2', {}, 'The end'), h('p', {}, 'Take the flag and you win; so you do when the other side has no soldier left. If neither can move, more soldiers win, then more barriers. A side that cannot move passes while the other goes on.'),
];

const CHAPTERS = {
  hop: {text: () => hopText(true), tries: [['......../......../..XO..../....O.../...O...O/......../.X....../........ b 10 10', 'the man on row 2 can capture three in one chain.'],
    ['X......./.X.....O/X.X...O./.X...O.O/X.X...O./.X...O.O/X.....O./.......O b 0 0', 'the first moves, for both sides.']]},
  'hop-noloop': {text: () => hopText(false), tries: [['X......./.X.....O/X.X...O./.X...O.O/X.X...O./.X...O.O/X.....O./.......O b 0 0', 'the first moves, for both sides.']]},
  reversi: {text: () => reversiText, tries: [['#......#/......../..XO..../..OX.O../...OX.../....O.../......../#......# b', 'the middle is free, the border is not: find out where you can play.']]},
  othello: {text: () => othelloText, tries: [['......../......../......../...OX.../...XO.../......../......../........ b', 'the first moves, for both sides.']]},
  meichu: {text: meichuText, tries: [['....f..../...bbb.../........./..b.s..../....S..../........./..B...S../...BBB.../....F.... b 12 12', 'a small battle on a tight budget. The numbers say what each move does to it.'],
    ['..sbfbs../.b.sbs.b./.b..s..b./..bbbbb../........./..BBBBB../.B..S..B./.B.SBS.B./..SBFBS.. b 150 150', 'the first moves, for both sides.']]},
};

// The same page about another game.
export const gameTabs = (games, page, name) => h('nav', {class: 'tabs', 'aria-label': 'Games'}, games.map((game) =>
  h('a', {class: 'button', href: `#/${page}/${game.name}`, 'aria-current': game.name === name ? 'page' : null}, TITLES[game.name])));

export async function rulesView(place, [name = 'hop']) {
  const [games, info] = await Promise.all([allGames(), gameInfo(name)]);
  const page = CHAPTERS[name];
  clear(place, gameTabs(games, 'rules', name), h('div', {class: 'rules'}, h('article', {class: 'words'}, h('h1', {}, TITLES[name]), page.text(),
    h('p', {}, h('a', {class: 'button primary big', href: `#/play/${name}`}, `Play ${TITLES[name]}`), ' ', h('a', {class: 'button big', href: `#/engine/${name}`}, 'How Plum thinks'))),
  h('aside', {'aria-label': 'Boards to try it on'}, page.tries.map(([position, text]) => playground(info, position, text)))));
  return null;
}
