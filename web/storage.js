// storage: values that the browser keeps. Its storage may be forbidden or full: then they are kept while the page is open (isKept). It may also be
// damaged, or written by another version: recallList and recallObject leave out what cannot be used and keep the rest.

const unsaved = new Map();

export function recall(key, otherwise = null) {
  if (unsaved.has(key)) return unsaved.get(key);
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

// The entries of a stored list that are valid.
export function recallList(key, isValid) {
  const list = recall(key);
  return Array.isArray(list) ? list.filter(isValid) : [];
}

// The fields of a stored object that are valid. isValid(name, value).
export function recallObject(key, isValid) {
  return Object.fromEntries(Object.entries(recall(key, {})).filter(([name, value]) => isValid(name, value)));
}

// Whether a value is still there after a reload.
export const isKept = (key) => !unsaved.has(key);

export function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    unsaved.delete(key);
  } catch {
    unsaved.set(key, value);
  }
}
