// What a reader is about to do: its arrays are fetched just before it is done, the rest when the browser is idle.

/** @import { ArrayLoader } from "./array_loader.js" */

/** Whether a reader has asked for as little data as possible: then nothing is fetched in advance. */
export function sparing() {
  const { connection } = /** @type {{ connection?: { saveData?: boolean } }} */ (globalThis.navigator ?? {});
  return connection?.saveData === true;
}

/**
 * Hear of a pointer or the focus that comes near an element.
 * @param {HTMLElement} target
 * @param {() => void} felt
 */
export function sense(target, felt) {
  target.addEventListener("pointerenter", felt);
  target.addEventListener("focusin", felt);
}

const REST = 150; // milliseconds that a pointer stays with a control: who passes by means none

/** What is fetched, and what Python makes, ahead of a reader. */
export class Prefetch {
  /**
   * @param {Pick<ArrayLoader, "bring" | "rest">} loader
   * @param {() => void} told there is another control in `near`
   */
  constructor(loader, told) {
    this.loader = loader;
    this.told = told;
    /** @type {string | null} the control that was touched or passed last */
    this.last = null;
    /** @type {Set<string>} the controls of which Python may make previews */
    this.known = new Set();
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.rest = undefined;
  }

  /** Those controls, in one order. */
  get near() {
    return [...this.known].sort();
  }

  /**
   * A pointer or the focus is near a control: it may be dragged next.
   * @param {string} name
   * @param {boolean} server whether Python answers it
   */
  control(name, server) {
    this.last = name;
    this.loader.bring(`preview ${name}`, "high");
    clearTimeout(this.rest);
    if (!server || this.known.has(name)) return;
    this.rest = setTimeout(() => {
      this.known.add(name);
      this.told();
    }, REST);
  }

  /**
   * A tab is opened, or a pointer is over it.
   * @param {string} name
   */
  tab(name) {
    this.loader.bring(`tab ${name}`, "high");
  }

  /** A message is drawn: what the last control needs may be needed again, and there is time for the rest. */
  drawn() {
    if (this.last !== null) this.loader.bring(`preview ${this.last}`);
    if (!sparing()) this.loader.rest();
  }

  stop() {
    clearTimeout(this.rest);
  }
}
