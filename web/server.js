// server: requests to the arena, with errors as sentences.

// A sentence for a user from the error of a program.
export function sentence(text) {
  const begun = text[0].toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(begun) ? begun : `${begun}.`;
}

// Where Plum runs, as seen from this page. The offline file has no host.
export function whereItRuns({host, hostname}) {
  const isOwn = !host || /^(localhost|.*\.localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
  return isOwn ? 'Plum runs on your own machine: no page sends requests to any other.'
    : `Plum runs on ${host} and in your browser: no page sends requests to any other machine.`;
}

// The same request may be answered later.
export class Unanswered extends Error {}

// What was asked for does not exist.
export class Missing extends Error {}

export async function fetchAnswer(path) {
  const answer = await fetch(path).catch(() => { throw new Unanswered('The arena does not answer. Is plum serve still running?'); });
  if (answer.ok) return answer;
  const {error = `The arena has no ${path}`} = await answer.json().catch(() => ({}));
  const isBusy = answer.status === 429 || answer.status >= 500;
  throw new (isBusy ? Unanswered : answer.status === 404 ? Missing : Error)(sentence(error));
}

// A request that is made once. Only an answer is kept: after a failure the next call tries again.
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
