// problem: what a page shows in place of its content when it cannot be opened.
import {h, clear} from './dom.js';
import {Missing, Unanswered} from './server.js';

// onRetry(): opens the page again; offered where that may help.
export function showProblem(place, error, onRetry) {
  clear(place, h('div', {class: 'card problem', role: 'alert'}, h('h1', {}, error instanceof Missing ? 'Not found' : 'That did not work'), h('p', {}, error.message),
    h('p', {class: 'commit'}, error instanceof Unanswered ? h('button', {type: 'button', onclick: onRetry}, 'Try again') : null,
      h('a', {class: 'button', href: '#/'}, 'Back to the start'), h('a', {class: 'button', href: '#/play/new'}, 'New game'))));
}
