// menu: small buttons with a picture, and a button that opens a list of further ones.
import {h, openDialog, svg, toast} from './dom.js';

// Drawn with lines, within 24 of 0|0.
const ICONS = {
  hint: ['M12 3a6 6 0 0 0-3.6 10.8c.7.5 1.1 1.3 1.1 2.2h5c0-.9.4-1.7 1.1-2.2A6 6 0 0 0 12 3z', 'M10 19h4M10.7 21.5h2.6'],
  back: ['M9 5L4 10l5 5', 'M4 10h9a6 6 0 0 1 0 12h-3'],
  'sound-on': ['M4 9.5v5h3.5L12 19V5L7.5 9.5z', 'M15.5 9a4 4 0 0 1 0 6M18 6.5a8 8 0 0 1 0 11'],
  'sound-off': ['M4 9.5v5h3.5L12 19V5L7.5 9.5z', 'M16 9.5l5 5M21 9.5l-5 5'],
  more: ['M5 12h.01M12 12h.01M19 12h.01'],
};

const draw = (name) => svg('svg', {class: `icon icon-${name}`, viewBox: '0 0 24 24', 'aria-hidden': 'true'}, ICONS[name].map((d) => svg('path', {d})));

export function iconButton(name, label, onclick, options = {}) {
  return h('button', {type: 'button', class: 'icon-button', 'aria-label': label, title: label, onclick, ...options}, draw(name));
}

export function setIcon(button, name) {
  button.replaceChildren(draw(name));
}

// A dialog of buttons, one for each [label, action]; it closes before the action, whose error is shown.
export function openChoices(heading, choices) {
  const dialog = h('dialog', {class: 'share', 'aria-label': heading}, h('h2', {}, heading), h('div', {class: 'stack'},
    choices.map(([label, action]) => h('button', {type: 'button', onclick: () => {
      dialog.close();
      action().catch((error) => toast(error.message));
    }}, label)), h('button', {type: 'button', class: 'quiet', onclick: () => dialog.close()}, 'Close')));
  openDialog(dialog);
}

// items: buttons. The list closes after each of them, with Escape, and when something else is chosen.
export function moreMenu(label, items) {
  const list = h('div', {class: 'menu-list', hidden: true}, items);
  const button = iconButton('more', label, () => show(list.hidden), {'aria-expanded': 'false'});
  const show = (isShown) => {
    list.hidden = !isShown;
    button.setAttribute('aria-expanded', String(isShown));
    if (isShown) list.querySelector('button:not(:disabled)')?.focus();
  };
  const el = h('div', {class: 'menu'}, button, list);
  // Before the item does its work: the focus returns to a button that stays.
  list.addEventListener('click', (event) => {
    if (!event.target.closest('button')) return;
    button.focus();
    show(false);
  }, {capture: true});
  el.addEventListener('keydown', (event) => {
    const step = {ArrowDown: 1, ArrowUp: -1}[event.key];
    if (list.hidden || (event.key !== 'Escape' && !step)) return;
    event.stopPropagation();
    event.preventDefault();
    if (event.key === 'Escape') {
      button.focus();
      show(false);
      return;
    }
    const all = [...list.querySelectorAll('button:not(:disabled):not([hidden])')];
    all[(all.indexOf(document.activeElement) + step + all.length) % all.length]?.focus();
  });
  el.addEventListener('focusout', ({relatedTarget}) => {
    if (!list.hidden && !el.contains(relatedTarget)) show(false);
  });
  return el;
}
