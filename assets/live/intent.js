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

/** What is fetched ahead of a reader. */
export class Intent {
  /** @param {Pick<Supply, "bring" | "rest">} supply */
  constructor(supply) {
    this.supply = supply;
    /** @type {Set<string>} the controls that a pointer or the focus has come near, the last one last */
    this.near = new Set();
  }

  /**
   * A pointer or the focus is near a control: it may be dragged next.
   * @param {string} name
   */
  control(name) {
    this.near.delete(name);
    this.near.add(name);
    this.supply.bring(`preview ${name}`, "high");
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
    const last = [...this.near].pop();
    if (last !== undefined) this.supply.bring(`preview ${last}`);
    if (!sparing()) this.supply.rest();
  }
}
