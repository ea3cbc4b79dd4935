// What a reader is about to do: its arrays are fetched just before it is done, the rest when the browser is idle.

/** @import { Supply } from "./supply.js" */

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
export class Intent {
  /**
   * @param {Pick<Supply, "bring" | "rest">} supply
   * @param {() => void} told there is another control in `near`
   */
  constructor(supply, told) {
    this.supply = supply;
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
    this.supply.bring(`preview ${name}`, "high");
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
    this.supply.bring(`tab ${name}`, "high");
  }

  /** A message is drawn: what the last control needs may be needed again, and there is time for the rest. */
  drawn() {
    if (this.last !== null) this.supply.bring(`preview ${this.last}`);
    if (!sparing()) this.supply.rest();
  }

  stop() {
    clearTimeout(this.rest);
  }
}
