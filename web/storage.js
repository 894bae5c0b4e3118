// storage: values that the browser keeps. Its storage may be forbidden, full or damaged: then they are kept while the page is open.

const unsaved = new Map();

export function recall(key, otherwise = null) {
  if (unsaved.has(key)) return unsaved.get(key);
  try {
    return JSON.parse(localStorage.getItem(key)) ?? otherwise;
  } catch {
    return otherwise;
  }
}

export function remember(key, value) {
  try {
    localStorage.setItem(key, JSON.stringify(value));
    unsaved.delete(key);
  } catch {
    unsaved.set(key, value);
  }
}
