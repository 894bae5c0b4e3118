// server: asks the arena for something, and says in a sentence what went wrong.

// A sentence for a person out of what a program says of itself.
export function sentence(text) {
  const begun = text[0].toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

export async function fetchAnswer(path) {
  const answer = await fetch(path).catch(() => { throw new Error('The arena does not answer. Is plum serve still running?'); });
  if (answer.ok) return answer;
  const {error = `The arena has no ${path}`} = await answer.json().catch(() => ({}));
  throw new Error(sentence(error));
}

// A question that is asked once; only an answer is kept, so that after a failure it can be asked again.
export function onceAnswered(question) {
  let answer = null;
  return () => {
    answer ||= question().catch((error) => {
      answer = null;
      throw error;
    });
    return answer;
  };
}
