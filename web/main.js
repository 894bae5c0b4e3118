// main: opens the page that the address names; header, footer and theme.
import {h, announce, clear} from './dom.js';
import {numberOfGames} from './games.js';
import {isOffline} from './engine.js';
import {homeView} from './home.js';
import {playView} from './play.js';
import {learnView} from './learn.js';
import {rulesView} from './rules.js';
import {thinkingView} from './thinking.js';
import {showProblem} from './problem.js';
import {Missing, Unanswered, whereItRuns} from './server.js';
import {recall, remember} from './storage.js';

// A page that is loaded when it is opened. Browsers may remember that a script could not be fetched; then only a reload fetches it.
class NotLoaded extends Unanswered {}
const reload = async () => ((await fetch('./').catch(() => null))?.ok ? location.reload() : route());
const later = (load) => async (...given) => (await load().catch(() => { throw new NotLoaded('This page cannot be loaded. Is plum serve still running?'); }))(...given);

const VIEWS = {
  '': homeView, play: playView, learn: learnView, rules: rulesView, engine: thinkingView,
  session: later(async () => (await import('./session.js')).sessionView),
  watch: later(async () => (await import('./watch.js')).watchView),
  agents: later(async () => (await import('./agents.js')).agentsView),
  docs: later(async () => (await import('./docs.js')).docsView),
  api: later(async () => (await import('./api.js')).apiView),
};
const PAGES = [['play', 'Play'], ['learn', 'Learn'], ['watch', 'Watch'], ['rules', 'Rules'], ['engine', 'Engine'], ['agents', 'Agents']];
const PAGE_TITLES = {'': 'Plum', play: 'Play', session: 'Play', learn: 'Learn', watch: 'Watch', rules: 'Rules', engine: 'How Plum thinks', agents: 'Write an agent', docs: 'Documents', api: 'API'};

const main = document.getElementById('main');
let leave = null;
let visit = 0;
let shown = ''; // the address of the page before this one

function readAddress() {
  const [path, query = ''] = location.hash.replace(/^#\/?/, '').split('?');
  try {
    const [page = '', ...rest] = path.split('/').map(decodeURIComponent);
    return {page, rest, query: new URLSearchParams(query)};
  } catch {
    return {page: path, rest: [], query: new URLSearchParams()};
  }
}

function markPage(page) {
  for (const link of document.querySelectorAll('#nav a')) {
    if (link.dataset.page === (page === 'session' ? 'play' : page)) {
      link.setAttribute('aria-current', 'page');
      const bar = link.closest('#nav'); // not scrollIntoView, after which some browsers begin with this link at the first Tab
      bar.scrollLeft = link.offsetLeft - bar.offsetLeft - (bar.clientWidth - link.offsetWidth) / 2;
    } else link.removeAttribute('aria-current');
  }
  document.title = page ? usualTitle(page) : `Plum: ${numberOfGames()} board games and a strong opponent`;
  document.body.dataset.page = page;
}

const usualTitle = (page) => `${Object.hasOwn(PAGE_TITLES, page) ? PAGE_TITLES[page] : 'Not found'} · Plum`;

// The heading is part of the title, unless the page has set another one.
function nameHeading(page) {
  const heading = main.querySelector('h1')?.textContent;
  if (page && heading && document.title === usualTitle(page) && !document.title.startsWith(heading)) document.title = `${heading} · ${document.title}`;
}

async function route() {
  const {page, rest, query} = readAddress();
  const number = ++visit;
  leave?.();
  leave = null;
  document.querySelectorAll('dialog').forEach((dialog) => dialog.close());
  const place = h('div', {class: `view view-${page || 'home'}`});
  clear(main, place);
  markPage(page);
  scrollTo(0, 0);
  try {
    if (!Object.hasOwn(VIEWS, page)) throw new Missing(`There is no page '${page}'.`);
    const onLeave = await VIEWS[page](place, rest, query, shown);
    if (number === visit) leave = onLeave;
    else onLeave?.();
  } catch (error) {
    if (number === visit) showProblem(place, error, error instanceof NotLoaded ? reload : route);
  }
  if (number === visit) {
    shown = location.hash;
    nameHeading(page);
  }
  const isTaken = main.contains(document.activeElement) || document.querySelector('dialog[open]');
  if (number > 1 && number === visit && !isTaken) announce(main);
}

// The address stays that of the page.
document.querySelector('.skip').addEventListener('click', (event) => {
  event.preventDefault();
  main.focus();
});

// --- Light and dark: the setting of the system, until the user chooses. ---

const THEME = 'plum.theme';
const theme = document.getElementById('theme');
let chosenTheme = recall(THEME);
const isDark = () => (chosenTheme || (matchMedia('(prefers-color-scheme: dark)').matches ? 'dark' : 'light')) === 'dark';

function showTheme() {
  document.documentElement.dataset.theme = isDark() ? 'dark' : 'light';
  theme.textContent = isDark() ? '☀' : '☾';
  theme.setAttribute('aria-label', isDark() ? 'Use light colours' : 'Use dark colours');
}

theme.addEventListener('click', () => {
  chosenTheme = isDark() ? 'light' : 'dark';
  remember(THEME, chosenTheme);
  showTheme();
});
matchMedia('(prefers-color-scheme: dark)').addEventListener('change', showTheme);

clear(document.getElementById('nav'), PAGES.map(([page, label]) => {
  const link = h('a', {href: `#/${page}`}, label);
  link.dataset.page = page;
  return link;
}));
clear(document.getElementById('foot'), h('p', {}, whereItRuns(isOffline() ? {} : location)),
  h('p', {}, h('a', {href: '#/docs'}, 'Documents'), isOffline() ? ' · This file works without a server.' : [' · ', h('a', {href: '#/api'}, 'API: the same data as JSON')]));
showTheme();
addEventListener('hashchange', route);
route();
