// storage: what this browser remembers. It may be forbidden, full or damaged: then nothing is
// remembered, and the pages go on without it.

export function recall(key, otherwise = null) {
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Not remembered, then.
  }
}
