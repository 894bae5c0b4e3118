// keyboard: whole games of every kind in a real Chromium, without a mouse. The kind with an auction is in play.test.mjs.
import test from 'node:test';
import {winByKeyboard} from './keyboard.mjs';

for (const game of ['hop', 'hop-noloop', 'reversi', 'othello']) {
  test(`a whole game of ${game} is set up, played and won with the keyboard alone`, () => winByKeyboard(game));
}
