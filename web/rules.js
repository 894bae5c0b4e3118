// rules: each game explained, with boards to try it on.
import {h, clear, openDialog} from './dom.js';
import {allGames, gameInfo} from './engine.js';
import {firstGame, gameOf} from './games.js';
import {playground} from './playground.js';
import {envelope, explain} from './auction.js';

const list = (...items) => h('ul', {}, items.map((item) => h('li', {}, item)));

// Two bids and the result of the auction.
function auctionPicture() {
  const bids = [{colour: 0, price: 40}, {colour: 0, price: 25}];
  const outcome = {colour: [0, 1], budget: [124, 150]};
  const names = ['Ann', 'Ben'];
  return h('figure', {class: 'auction-picture'}, h('div', {class: 'envelopes'}, bids.map((bid, at) => envelope(names[at], bid))),
    h('figcaption', {class: 'soft'}, explain(bids, outcome, names).join(' ')));
}

// The same page about another game.
export const gameTabs = (games, page, name) => h('nav', {class: 'tabs', 'aria-label': 'Games'}, games.map((game) =>
  h('a', {class: 'button', href: `#/${page}/${game.name}`, 'aria-current': game.name === name ? 'page' : null}, gameOf(game.name).title)));

const rulesOf = (name) => gameOf(name).rules({h, list, auctionPicture});

// The rules next to what the user is doing. They have an entry in the history: a step back closes them, and the page stays.
export async function openRules(name) {
  const page = `#/rules/${name}`;
  const dialog = h('dialog', {class: 'sheet', 'aria-labelledby': 'sheet-title'}, h('form', {method: 'dialog', class: 'dialog-head'}, h('h2', {id: 'sheet-title'}, gameOf(name).title),
    h('button', {class: 'quiet close', 'aria-label': 'Close'}, '✕')), h('div', {class: 'words', tabindex: '0', role: 'region', 'aria-label': 'Rules'}, rulesOf(name),
    h('p', {}, h('a', {href: page, onclick: (event) => {
      event.preventDefault();
      location.replace(page);
    }}, 'The page of rules, with boards to try them on'))));
  const onBack = () => dialog.close();
  history.pushState({...history.state, hasRules: true}, '');
  addEventListener('popstate', onBack);
  await openDialog(dialog);
  removeEventListener('popstate', onBack);
  if (history.state?.hasRules) history.back();
}

export async function rulesView(place, [name = firstGame()]) {
  const [games, info] = await Promise.all([allGames(), gameInfo(name)]);
  const {tries} = gameOf(name);
  clear(place, gameTabs(games, 'rules', name), h('div', {class: 'rules'}, h('article', {class: 'words'}, h('h1', {}, gameOf(name).title), rulesOf(name),
    h('p', {}, h('a', {class: 'button primary big', href: `#/play/${name}`}, `Play ${gameOf(name).title}`), ' ', h('a', {class: 'button big', href: `#/engine/${name}`}, 'How Plum thinks'))),
  h('aside', {'aria-label': 'Boards to try it on'}, tries.map(([position, text]) => playground(info, position, text)))));
  return null;
}
