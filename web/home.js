// home: the first page, with a game that plays by itself.
import {h, clear, prefersReducedMotion, wait} from './dom.js';
import {allGames} from './engine.js';
import {Board, picture} from './board.js';
import {firstGame, numberOfGames, gameOf, gamesWith, isDescribed, shortNames} from './games.js';
import {Match, isBegun, playerName, tableLink} from './match.js';
import {gameList} from './gamelist.js';

// Shows game after game until the page is left. state: {isOn, isPaused, left}; left: a promise that is kept when the page is left.
async function perform(place, games, state) {
  const pause = h('button', {type: 'button', class: 'quiet small', onclick: () => {
    state.isPaused = !state.isPaused;
    showPause();
  }});
  const showPause = () => { pause.textContent = state.isPaused ? '▶ Continue' : '❚❚ Pause'; };
  showPause();
  const shows = gamesWith('show');
  for (let round = Math.floor(Math.random() * shows.length); state.isOn && shows.length; round++) {
    const [name, {show}] = shows[round % shows.length];
    const info = games.find((game) => game.name === name);
    const board = new Board(info, {isSmall: true, label: `Plum plays ${gameOf(info.name).title} against itself`});
    clear(place, board.el, h('div', {class: 'hero-note'}, h('p', {class: 'soft small'}, `${gameOf(info.name).title}: Plum against itself`), pause));
    await performGame(board, show, state);
    await hold(2500, state);
  }
}

async function hold(ms, state) {
  do await Promise.race([wait(ms), state.left]); while (state.isOn && state.isPaused);
}

// With reduced motion the middle of a game is shown: its start may be an empty board.
async function performGame(board, {start, plies}, state) {
  const first = state.isPaused ? Math.floor(plies.length / 2) : 0;
  board.show(first ? plies[first - 1].split(' ')[1] : start);
  for (const ply of plies.slice(first)) {
    await hold(prefersReducedMotion() ? 2500 : 750, state);
    if (!state.isOn) return;
    const [move, position] = ply.split(' ');
    const isPath = /^\d/.test(move);
    board.mark({last: isPath ? move.split('-') : []});
    await board.show(position, {move: isPath ? move : null});
  }
}

function gameCard(info) {
  return h('article', {class: 'card game-card'}, h('a', {class: 'game-picture', href: `#/play/${info.name}`, tabindex: '-1', 'aria-hidden': 'true'}, picture(info, gameOf(info.name).sample || info.start)),
    h('h3', {}, gameOf(info.name).title), h('p', {}, gameOf(info.name).line || info.summary),
    h('p', {class: 'card-links'}, h('a', {class: 'button primary', href: `#/play/${info.name}`, 'aria-label': `Play ${gameOf(info.name).title}`}, 'Play'),
      h('a', {class: 'button', href: `#/rules/${info.name}`, 'aria-label': `Rules of ${gameOf(info.name).title}`}, 'Rules')));
}

function feature(heading, text, href, link) {
  return h('article', {class: 'feature'}, h('h3', {}, heading), h('p', {}, text), h('a', {href}, link));
}

// Games that were begun and not finished.
const runningGames = () => Match.running().filter((data) => isDescribed(data.game) && isBegun(data)).slice(0, 8);

function secondLink([latest]) {
  return latest ? h('a', {class: 'button big', href: tableLink(latest)}, `Continue ${gameOf(latest.game).title}`) : h('a', {class: 'button big', href: '#/play/new'}, 'Choose a game');
}

function runningSection(running, onRemove) {
  const turn = (data) => (data.auction ? 'the auction' : data.plies.length === 1 ? '1 move' : `${data.plies.length} moves`);
  return h('section', {class: 'running-games', 'aria-labelledby': 'running-games'}, h('h2', {id: 'running-games'}, 'Your games'),
    gameList(running, {link: tableLink, words: ({players}) => `${playerName(players.black)} against ${playerName(players.white)}`, note: (data) => `${turn(data)}, ${data.date}`, onRemove}));
}

export async function homeView(place) {
  const state = {isOn: true, isPaused: prefersReducedMotion()};
  state.left = new Promise((done) => { state.leave = done; });
  const running = runningGames();
  const links = h('p', {class: 'hero-links'}, h('a', {class: 'button primary big', href: `#/play/${firstGame()}?level=2`}, 'Play now'), secondLink(running));
  const stage = h('div', {class: 'hero-board'});
  const cards = h('div', {class: 'cards'});
  clear(place, h('section', {class: 'hero'}, h('div', {class: 'hero-words'},
    h('h1', {}, `${numberOfGames().replace(/^./, (letter) => letter.toUpperCase())} board games, one stubborn opponent.`),
    h('p', {class: 'lead'}, `${shortNames(gamesWith('short')).join(', ').replace(/, ([^,]*)$/, ' and $1')}, exactly by the rules, against an engine that plays as gently or as fiercely as you like. It runs right here, in your browser.`),
    links), stage),
  running.length ? runningSection(running, () => links.lastChild.replaceWith(secondLink(runningGames()))) : null,
  h('section', {'aria-labelledby': 'games'}, h('h2', {id: 'games'}, 'The games'), cards),
  h('section', {class: 'features', 'aria-label': 'More'},
    feature('Learn from every game', 'Replay it with a curve of the evaluation, see where it turned, and solve your own blunders as puzzles.', '#/learn', 'Look at a game'),
    feature('See how it thinks', 'Depth, positions and the line it expects, live while it looks at any position you put before it.', '#/engine', 'Look inside'),
    feature('Write an agent', 'C, C++ or Python: Plum starts you off with a working program, checks it, and lets it play.', '#/agents', 'How it works')));
  const games = await allGames();
  clear(cards, games.map(gameCard));
  perform(stage, games, state);
  return () => {
    state.isOn = false;
    state.leave();
  };
}
