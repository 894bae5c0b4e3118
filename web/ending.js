// ending: how a game ended, in words.
import {other, title} from './match.js';

const ENDINGS = {
  'all-home': 'all men are home', 'move-limit': 'both have used 200 moves', 'no-moves': 'nobody can move',
  flag: 'the flag is taken', 'no-soldiers': 'no soldier is left',
};

const LOSSES = {
  resigned: 'gave up', time: 'ran out of time', 'no-start': 'did not start', 'no-bid': 'made no bid', late: 'took far too long',
  invalid: 'made an illegal move', crashed: 'crashed', malformed: 'sent something unreadable', hostile: 'broke the protocol',
};

// What a side did that cost it a turn, not the game.
export const SLIPS = {
  late: 'was too late', invalid: 'made an illegal move', crashed: 'had crashed', malformed: 'sent something unreadable', hostile: 'broke the protocol',
};

const NEITHER = {'no-start': 'Neither side started.', 'no-bid': 'Neither side made a bid.'};

// Reversi and othello count the difference, MeiChu only who won.
function scoreWords(game, ended) {
  if (game === 'meichu' || ended.outcome === 'draw') return '';
  const [more, less] = [ended[ended.outcome], ended[other(ended.outcome)]];
  return game === 'reversi' || game === 'othello' ? `by ${more}` : `${more} to ${less}`;
}

// ended: {outcome, black, white, reason, how}. person: the side of the reader, or null.
// "5 to 3: all men are home.", "You gave up."
export function endText(game, ended, person = null) {
  if (ended.outcome === 'draw' && NEITHER[ended.reason]) return NEITHER[ended.reason];
  const lost = LOSSES[ended.how] || LOSSES[ended.reason];
  if (lost) return `${other(ended.outcome) === person ? 'You' : title(other(ended.outcome))} ${lost}.`;
  const words = [scoreWords(game, ended), ENDINGS[ended.reason] || ended.reason].filter(Boolean).join(': ');
  return `${words[0].toUpperCase()}${words.slice(1)}.`;
}

// Why alone: "all men are home", "White crashed".
export function causeText({outcome, reason}) {
  if (outcome === 'draw' && NEITHER[reason]) return NEITHER[reason].slice(0, -1);
  return LOSSES[reason] ? `${title(other(outcome))} ${LOSSES[reason]}` : ENDINGS[reason] || reason;
}

export const outcomeText = (outcome) => (outcome === 'draw' ? 'A draw' : `${title(outcome)} wins`);
