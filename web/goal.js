// goal: what a game is about, in two sentences, for whoever has never played it.

const HOP_GOALS = {
  black: 'Bring your men to the two dark columns at the far side.',
  white: 'Bring your men to the two light columns at the far side.',
  both: 'Black goes to the two dark columns, White to the two light ones.',
};
const HOP_WAYS = 'Hop over men, as often as you can: enemies you hop over are captured.';
const DISC_GOAL = 'Have more discs in the end.';

// side: the reader's, or null when both sides are played here.
export function goalText(game, side) {
  if (game === 'meichu') return 'Take the enemy flag with a soldier. Soldiers run straight as far as they like; every move is paid from the budget.';
  if (game === 'othello') return `${DISC_GOAL} Place a disc so that it encloses enemy discs in a line: they become yours.`;
  if (game === 'reversi') return `${DISC_GOAL} Enemy discs that yours enclose in a line become yours; in the middle you may place one anywhere.`;
  return `${HOP_GOALS[side || 'both']} ${HOP_WAYS}`;
}
