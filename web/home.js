// home: the first page, with a game that plays by itself.
import {h, clear, prefersReducedMotion, tableOf, wait} from './dom.js';
import {allGames} from './engine.js';
import {Board, picture} from './board.js';
import {editionsOf, firstGame, namesOfGames, numberOfGames, gameOf, gamesWith, isDescribed, shortNames} from './games.js';
import {playerOf, runningSessions, sessionLink} from './agentlist.js';
import {Match, isBegun, playerName, tableLink} from './match.js';
import {dayText, gameItem, gameList} from './gamelist.js';
import {dailyPuzzle, puzzleLink, solvedPuzzles} from './puzzleset.js';
import {recallObject, remember} from './storage.js';
import {results} from './tally.js';

const EDITIONS = 'plum.editions';

const chosenEditions = () => recallObject(EDITIONS, (first, name) => isDescribed(name));

// Shows game after game until the page is left. state: {isOn, isPaused, left}; left: a promise that is kept when the page is left.
async function perform(place, games, state) {
  const pause = h('button', {type: 'button', class: 'quiet small', onclick: () => {
    state.isPaused = !state.isPaused;
    showPause();
  }});
  const showPause = () => { pause.textContent = state.isPaused ? '▶ Resume' : '❚❚ Pause'; };
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

const joined = (words) => words.join(', ').replace(/, ([^,]*)$/, ' and $1');

// One card for the games of a folder, with a switch between its editions.
function gameCard(infos) {
  const names = infos.map(({name}) => name);
  const heading = joined(shortNames(infos.map(({name}) => [name, gameOf(name)]))) || gameOf(names[0]).title;
  const chosen = chosenEditions()[names[0]];
  const body = h('div', {class: 'game-edition'});
  const show = (info) => {
    const {title, sample, line} = gameOf(info.name);
    clear(body, h('a', {class: 'game-picture', href: `#/play/${info.name}`, tabindex: '-1', 'aria-hidden': 'true'}, picture(info, sample || info.start)),
      h('p', {}, line || info.summary), h('p', {class: 'card-links'}, h('a', {class: 'button primary', href: `#/play/${info.name}`, 'aria-label': `Play ${title}`}, 'Play'),
        h('a', {class: 'button', href: `#/rules/${info.name}`, 'aria-label': `Rules of ${title}`}, 'Rules'),
        gameOf(info.name).hasPuzzles ? h('a', {class: 'button', href: puzzleLink(info.name, 'next'), 'aria-label': `Puzzles of ${title}`}, 'Puzzles') : null));
  };
  const choose = (name) => {
    remember(EDITIONS, {...chosenEditions(), [names[0]]: name});
    show(infos.find((info) => info.name === name));
  };
  const first = infos.find(({name}) => name === chosen) || infos[0];
  const editions = infos.length > 1 ? h('fieldset', {class: 'editions', onchange: (event) => choose(event.target.value)}, h('legend', {class: 'unseen'}, `Edition of ${heading}`),
    h('div', {class: 'options'}, infos.map(({name}) => h('label', {class: 'option'}, h('input', {type: 'radio', name: `edition-${names[0]}`, value: name, checked: name === first.name}),
      h('span', {}, gameOf(name).edition || gameOf(name).title))))) : null;
  show(first);
  return h('article', {class: 'card game-card'}, h('h3', {}, heading), editions, body);
}

// The games of the program, those of one folder together.
function cardsOf(games) {
  const groups = new Map();
  for (const info of games) {
    const [first] = editionsOf(info.name);
    groups.set(first, [...groups.get(first) || [], info]);
  }
  return [...groups.values()].map(gameCard);
}

async function showDaily(section, games) {
  const {game, number, level, position} = await dailyPuzzle();
  const info = games.find(({name}) => name === game);
  if (!info) return;
  const isSolved = solvedPuzzles(game).includes(number);
  const side = position.split(' ')[1] === 'b' ? 'Black' : 'White';
  clear(section, h('a', {class: 'game-picture', href: puzzleLink(game, number), tabindex: '-1', 'aria-hidden': 'true'}, picture(info, position)),
    h('div', {}, h('h2', {id: 'daily'}, 'Puzzle of the day'), h('p', {}, `${gameOf(game).title}: ${side} to move. One move is clearly better than every other.`),
      h('p', {class: 'soft'}, `Difficulty ${level} of 10${isSolved ? '. Solved' : ''}`), h('a', {class: 'button primary', href: puzzleLink(game, number)}, isSolved ? 'Look again' : 'Solve it')));
  section.hidden = false;
}

function resultSection() {
  const rows = results().filter(({game}) => isDescribed(game));
  if (!rows.length) return null;
  return h('section', {class: 'results', 'aria-labelledby': 'results'}, h('h2', {id: 'results'}, 'Your results'),
    tableOf(['Game', 'Level', 'Won', 'Drawn', 'Lost'], rows.map(({game, level, won, drawn, lost}) => h('tr', {}, h('th', {scope: 'row'}, gameOf(game).title),
      [level, won, drawn, lost].map((number) => h('td', {}, String(number))))), 'Your results by game and level'),
    h('p', {class: 'soft small'}, 'They are kept in this browser.'));
}

function feature(heading, text, href, link) {
  return h('article', {class: 'feature'}, h('h3', {}, heading), h('p', {}, text), h('a', {href}, link));
}

// Games that were begun and not finished.
const runningGames = () => Match.running().filter((data) => isDescribed(data.game) && isBegun(data)).slice(0, 8);

const movesText = (count) => (count === 1 ? '1 move' : `${count} moves`);

// sessions: games with agents; running: of this browser. A game that can be continued comes first.
function heroLinks(sessions, running) {
  const [latest] = [...sessions.map(({id, game}) => ({game, href: sessionLink(id)})), ...running.map((data) => ({game: data.game, href: tableLink(data)}))];
  const start = (style) => h('a', {class: `button ${style} big`, href: `#/play/${firstGame()}?level=2`}, 'Play now');
  if (!latest) return [start('primary'), h('a', {class: 'button big', href: '#/play/new'}, 'Choose a game')];
  return [h('a', {class: 'button primary big', href: latest.href}, `Continue ${gameOf(latest.game).title}`), start('')];
}

const againstText = (one, other) => `${playerName(one)} against ${playerName(other).replace(/^You$/, 'you')}`;

// The server ends a game with an agent soon after its page was closed.
function sessionItem({id, game, phase, players, ply_count: count}) {
  const [first, second] = (players[0].side === 'white' ? [...players].reverse() : players).map(playerOf);
  const turn = {starting: 'being started', bidding: 'the auction'}[phase] || movesText(count);
  return gameItem(game, {link: sessionLink(id), words: againstText(first, second), note: `${turn}, ends after a minute without a visit`});
}

function runningSection(sessions, running, onRemove) {
  const turn = (data) => (data.auction ? 'the auction' : movesText(data.plies.length));
  return h('section', {class: 'running-games', 'aria-labelledby': 'running-games'}, h('h2', {id: 'running-games'}, 'Your games'),
    gameList(running, {link: tableLink, words: ({players}) => againstText(players.black, players.white), note: (data) => `${turn(data)}, ${dayText(data.date)}`, onRemove, first: sessions.map(sessionItem)}));
}

export async function homeView(place) {
  const state = {isOn: true, isPaused: prefersReducedMotion()};
  state.left = new Promise((done) => { state.leave = done; });
  const links = h('p', {class: 'hero-links'});
  const own = h('div', {});
  const showOwn = (sessions) => {
    const running = runningGames();
    const showLinks = () => clear(links, heroLinks(sessions, runningGames()));
    showLinks();
    clear(own, sessions.length + running.length ? runningSection(sessions, running, showLinks) : null);
  };
  showOwn([]);
  const stage = h('div', {class: 'hero-board'});
  const cards = h('div', {class: 'cards'});
  const daily = h('section', {class: 'card daily', 'aria-labelledby': 'daily', hidden: true});
  clear(place, h('section', {class: 'hero'}, h('div', {class: 'hero-words'},
    h('h1', {}, `${numberOfGames().replace(/^./, (letter) => letter.toUpperCase())} board games, one stubborn opponent.`),
    h('p', {class: 'lead'}, `${joined(namesOfGames())}, exactly by the rules, against an engine that plays as gently or as fiercely as you like. It runs right here, in your browser.`),
    links), stage),
  own, h('section', {'aria-labelledby': 'games'}, h('h2', {id: 'games'}, 'The games'), cards), daily, resultSection(),
  h('section', {class: 'features', 'aria-label': 'More'},
    feature('Learn from every game', 'Replay it with a curve of the evaluation, see where it turned, and solve your own blunders as puzzles.', '#/learn', 'Look at a game'),
    feature('See how it thinks', 'Depth, positions and the line it expects, live while it looks at any position you put before it.', '#/engine', 'Look inside'),
    feature('Write an agent', 'C, C++ or Python: Plum starts you off with a working program, checks it, and lets it play.', '#/agents', 'How it works')));
  runningSessions().then((sessions) => sessions.length && showOwn(sessions.filter(({game}) => isDescribed(game))));
  const games = await allGames();
  clear(cards, cardsOf(games));
  showDaily(daily, games).catch(() => {}); // without it the page is complete
  perform(stage, games, state);
  return () => {
    state.isOn = false;
    state.leave();
  };
}
