// playground: a small board to try a rule on. The user moves for both sides; nothing is kept.
import {h, clear} from './dom.js';
import {ask} from './engine.js';
import {Board} from './board.js';
import {gameOf} from './games.js';
import {Mover} from './mover.js';

// Returns the element. text: what to try. onTurn(board, facts): called for each new position.
export function playground(info, position, text, onTurn = () => {}) {
  let now = position;
  let turn = '';
  const status = h('p', {class: 'small', role: 'status'});
  const commit = h('div', {class: 'commit'});
  const board = new Board(info, {
    label: `${gameOf(info.name).title}: ${text}`, onPick: (square) => mover.pick(square), onDrop: (from, to) => mover.drop(from, to),
    onLift: (square) => mover.lift(square), onHover: (square) => mover.hover(square), canDrag: (square) => mover.canDrag(square),
  });
  const show = () => {
    status.textContent = turn;
    clear(commit, mover.canSend && mover.path.length > 1 ? h('button', {type: 'button', class: 'primary', onclick: () => mover.send()}, 'Play this move') : null,
      mover.path.length > 1 ? h('button', {type: 'button', onclick: () => mover.undo()}, 'Undo last step') : null,
      h('button', {type: 'button', onclick: () => { now = position; begin([]); }}, 'From the start'));
  };
  const begin = async (last) => {
    const facts = await ask('position', {game: info.name, position: now});
    mover.stop();
    board.show(now);
    board.mark({last});
    turn = facts.status ? `${facts.turn}; ${facts.status}` : facts.turn;
    status.textContent = turn;
    if (facts.moves[0] === 'pass') {
      clear(commit, h('button', {type: 'button', class: 'primary', onclick: () => play('pass', null, '')}, 'Pass'));
    } else if (facts.over) {
      show();
    } else {
      await mover.start(info.name, now, last);
    }
    onTurn(board, facts);
  };
  const play = async (move, after, unseen) => {
    now = after || (await ask('position', {game: info.name, position: now, moves: move})).position;
    await board.show(now, {move: unseen || null});
    await begin(/^\d/.test(move) ? move.split('-') : []);
  };
  const mover = new Mover(board, {onMove: play, onChange: show, onRefuse: (text) => { status.textContent = text; }});
  begin([]).catch((error) => { status.textContent = error.message; });
  return h('figure', {class: 'try'}, h('figcaption', {}, h('b', {}, 'Try it: '), text), board.el, status, commit);
}
