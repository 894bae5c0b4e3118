// gamelist: games that this browser keeps, each with a link and a button to delete it.
import {h, isConfirmed} from './dom.js';
import {gameOf} from './games.js';
import {Match} from './match.js';

// link, words, note: functions of a game. onRemove(): called after a game was deleted.
export function gameList(games, {link, words, note, onRemove = () => {}}) {
  const list = h('ul', {class: 'game-list'});
  const remove = async (data, item) => {
    if (!await isConfirmed(`Delete this game of ${gameOf(data.game).title}?`, 'Delete')) return;
    new Match(data).forget();
    const neighbour = item.nextElementSibling || item.previousElementSibling;
    item.remove();
    const none = h('p', {class: 'soft', tabindex: '-1'}, 'None is left.');
    if (!neighbour) list.replaceWith(none);
    (neighbour?.querySelector('button') || none).focus();
    onRemove();
  };
  for (const data of games) {
    const item = h('li', {}, h('a', {href: link(data)}, h('span', {}, h('b', {}, gameOf(data.game).title), ` ${words(data)}`), h('span', {class: 'soft'}, note(data))),
      h('button', {type: 'button', class: 'quiet', 'aria-label': `Delete: ${gameOf(data.game).title}, ${words(data)}`, onclick: () => remove(data, item)}, '✕'));
    list.append(item);
  }
  return list;
}
