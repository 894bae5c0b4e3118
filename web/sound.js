// sound: a knock for each move; off until the user turns it on.
import {recall, remember} from './storage.js';

const SOUND = 'plum.sound';
let soundOn = recall(SOUND) === true;
let context = null;

export const isSoundOn = () => soundOn;

// Returns whether it is on now.
export function toggleSound() {
  soundOn = !soundOn;
  remember(SOUND, soundOn);
  knock(1);
  return soundOn;
}

// count: the number of captures or flips.
export function knock(count = 1) {
  if (!isSoundOn()) return;
  context ||= new AudioContext();
  for (let at = 0; at < Math.min(count, 4); at++) {
    const start = context.currentTime + at * .07;
    const tone = context.createOscillator();
    const gain = context.createGain();
    tone.type = 'triangle';
    tone.frequency.setValueAtTime(420 + 90 * at, start);
    tone.frequency.exponentialRampToValueAtTime(140, start + .07);
    gain.gain.setValueAtTime(.25, start);
    gain.gain.exponentialRampToValueAtTime(.001, start + .09);
    tone.connect(gain).connect(context.destination);
    tone.start(start);
    tone.stop(start + .1);
  }
}
