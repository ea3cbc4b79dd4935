// The attacker's prior belief that the reader sets: one number for all figures, kept from page to page.

const KEY = "dp.prior";
/** @type {Set<() => void>} */
const LISTENERS = new Set();

/** Return the prior in per cent, from 1 to 99. */
export function prior() {
  const found = Number(globalThis.sessionStorage?.getItem(KEY) ?? 50);
  return Number.isInteger(found) && found >= 1 && found <= 99 ? found : 50;
}

/** @param {string} percent */
export function setPrior(percent) {
  globalThis.sessionStorage?.setItem(KEY, percent);
  for (const listener of LISTENERS) listener();
}

/**
 * Call back at every change; return the function that ends it.
 * @param {() => void} listener
 */
export function onPrior(listener) {
  LISTENERS.add(listener);
  return () => LISTENERS.delete(listener);
}
