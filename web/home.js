// home: the first page. A game is already going on in it.
import {h, clear, prefersStillness, wait} from './dom.js';
import {allGames} from './engine.js';
import {Board, picture, TITLES} from './board.js';
import {Match} from './match.js';
import {SHOWS} from './show.js';

const LINES = {
  hop: 'Cross the board in long chains, capturing on the way.',
  'hop-noloop': 'The same, but no square twice in one move.',
  reversi: 'Place anywhere in the middle; the corners are gone.',
  othello: 'The classic: every move must flip.',
  meichu: 'Bid for your colour, spend wisely, take the flag.',
};

// Reached in games: an empty board says little.
const SCENES = {
  hop: '......../.X.....O/...XX.../.X...O.O/X..XXOO./.X.....O/X.OO..../.......O b 6 6',
  reversi: '#OOXXXX#/XXXOXXOO/.O.OXXO./.O.XXOOO/...XXOX./.O..O.../...OX.../#......# w',
  othello: '......../..X...../...XO.../..XXXO../..OXXX../...O.X../......../........ w',
  meichu: '...bfb.../.b..b..b./.b..ss.b./..bsbb.../...s..s../..BBSSB../.B.SS..B./.B...S.B./...BFB... b 129 126',
};

// Shows game after game until the page is left.
async function perform(place, games, isOn) {
  for (let round = Math.floor(Math.random() * SHOWS.length); isOn(); round++) {
    const show = SHOWS[round % SHOWS.length];
    const info = games.find((game) => game.name === show.game);
    const board = new Board(info, {isSmall: true, label: `Plum plays ${TITLES[info.name]} against itself`});
    clear(place, board.el, h('p', {class: 'soft small center'}, `${TITLES[info.name]}: Plum against itself`));
    await performGame(board, show, isOn);
    await wait(2500);
  }
}

async function performGame(board, {start, plies}, isOn) {
  board.show(start);
  for (const ply of plies) {
    await wait(prefersStillness() ? 2500 : 750);
    if (!isOn()) return;
    const [move, position] = ply.split(' ');
    const isPath = /^\d/.test(move);
    board.mark({last: isPath ? move.split('-') : []});
    await board.show(position, {move: isPath ? move : null});
  }
}

function gameCard(info) {
  return h('article', {class: 'card game-card'}, h('a', {class: 'game-picture', href: `#/play/${info.name}`, tabindex: '-1', 'aria-hidden': 'true'}, picture(info, SCENES[info.name] || info.start)),
    h('h3', {}, TITLES[info.name]), h('p', {}, LINES[info.name] || info.summary),
    h('p', {class: 'card-links'}, h('a', {class: 'button primary', href: `#/play/${info.name}`, 'aria-label': `Play ${TITLES[info.name]}`}, 'Play'),
      h('a', {class: 'button', href: `#/rules/${info.name}`, 'aria-label': `Rules of ${TITLES[info.name]}`}, 'Rules')));
}

function feature(heading, text, href, link) {
  return h('article', {class: 'feature'}, h('h3', {}, heading), h('p', {}, text), h('a', {href}, link));
}

export async function homeView(place) {
  let isOn = true;
  const saved = Match.load();
  const stage = h('div', {class: 'hero-board'});
  const cards = h('div', {class: 'cards'});
  clear(place, h('section', {class: 'hero'}, h('div', {class: 'hero-words'},
    h('h1', {}, 'Five board games, one stubborn opponent.'),
    h('p', {class: 'lead'}, 'Hop, Reversi, Othello and MeiChu, exactly by the rules, against an engine that plays as gently or as fiercely as you like. It runs right here, in your browser.'),
    h('p', {class: 'hero-links'}, h('a', {class: 'button primary big', href: '#/play/hop?level=2'}, 'Play now'),
      saved && !saved.data.ended ? h('a', {class: 'button big', href: '#/play'}, `Go on with ${TITLES[saved.data.game]}`)
        : h('a', {class: 'button big', href: '#/play/meichu'}, 'Choose a game'))), stage),
  h('section', {'aria-labelledby': 'games'}, h('h2', {id: 'games'}, 'The games'), cards),
  h('section', {class: 'features', 'aria-label': 'More'},
    feature('Learn from every game', 'Replay it with a curve of who stood better, see where it slipped, and solve your own blunders as puzzles.', '#/learn', 'Look at a game'),
    feature('See how it thinks', 'Depth, positions and the line it expects are shown live while it thinks. Ask for a hint whenever you like.', '#/play', 'Sit down'),
    feature('Write an agent', 'C, C++ or Python: Plum starts you off with a working program, checks it, and lets it play.', '#/agents', 'How it works')));
  const games = await allGames();
  if (!isOn) return null;
  clear(cards, games.map(gameCard));
  perform(stage, games, () => isOn);
  return () => { isOn = false; };
}
