// gamelist: games that this browser keeps, each with a link and a button to delete it.
import {h, isConfirmed} from './dom.js';
import {gameOf} from './games.js';
import {Match} from './match.js';

const DAY_MS = 864e5;
const DAYS = ['today', 'yesterday'];

// "today", "3 days ago" or "5 March"; date: as 2026-03-05, of the day in Greenwich, which games are dated by.
export function dayText(date, now = new Date()) {
  const day = new Date(`${date}T00:00:00Z`);
  const days = Math.floor(now.getTime() / DAY_MS) - Math.floor(day.getTime() / DAY_MS);
  if (Number.isNaN(days)) return date;
  if (days >= 0 && days < 7) return DAYS[days] || `${days} days ago`;
  return day.toLocaleDateString('en-GB', {day: 'numeric', month: 'long', timeZone: 'UTC', ...(day.getUTCFullYear() !== now.getUTCFullYear() && {year: 'numeric'})});
}

export const gameItem = (game, {link, words, note}) => h('li', {}, h('a', {href: link}, h('span', {}, h('b', {}, gameOf(game).title), ` ${words}`), h('span', {class: 'soft'}, note)));

// link, words, note: functions of a game. onRemove(): called after a game was deleted. first: items that cannot be deleted.
export function gameList(games, {link, words, note, onRemove = () => {}, first = []}) {
  const list = h('ul', {class: 'game-list'}, first);
  const remove = async (data, item) => {
    if (!await isConfirmed(`Delete this game of ${gameOf(data.game).title}?`, 'Delete')) return;
    new Match(data).forget();
    const neighbour = item.nextElementSibling || item.previousElementSibling;
    item.remove();
    const none = h('p', {class: 'soft', tabindex: '-1'}, 'None is left.');
    if (!neighbour) list.replaceWith(none);
    (neighbour?.querySelector('button') || neighbour?.firstChild || none).focus();
    onRemove();
  };
  for (const data of games) {
    const item = gameItem(data.game, {link: link(data), words: words(data), note: note(data)});
    item.append(h('button', {type: 'button', class: 'quiet', 'aria-label': `Delete: ${gameOf(data.game).title}, ${words(data)}`, onclick: () => remove(data, item)}, '✕'));
    list.append(item);
  }
  return list;
}
