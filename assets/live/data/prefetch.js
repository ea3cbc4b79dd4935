// Fetch ahead: arrays of a control or tab that the pointer or the focus comes near, the others when the browser is
// idle.

/** @import { ArrayLoader } from "./array_loader.js" */

/** Return whether the browser asks to save data: then nothing is fetched ahead. */
export function savesData() {
  const { connection } = /** @type {{ connection?: { saveData?: boolean } }} */ (globalThis.navigator ?? {});
  return connection?.saveData === true;
}

/**
 * Call back when a pointer or the focus comes near an element.
 * @param {HTMLElement} target
 * @param {() => void} felt
 */
export function onApproach(target, felt) {
  target.addEventListener("pointerenter", felt);
  target.addEventListener("focusin", felt);
}

const REST = 150; // milliseconds that a pointer stays: passing by does not count

/** What is fetched ahead, and what Python computes ahead. */
export class Prefetch {
  /**
   * @param {Pick<ArrayLoader, "bring" | "rest">} loader
   * @param {() => void} told called when `near` has another control
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

  /** The names of the controls that may be dragged next, sorted. */
  get near() {
    return [...this.known].sort();
  }

  /**
   * Fetch for a control that a pointer or the focus is near: it may be dragged next.
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
   * Fetch for a tab that is opened, or under the pointer.
   * @param {string} name
   */
  tab(name) {
    this.loader.bring(`tab ${name}`, "high");
  }

  /** Fetch again for the last control after a message was drawn, and the rest when there is time. */
  drawn() {
    if (this.last !== null) this.loader.bring(`preview ${this.last}`);
    if (!savesData()) this.loader.rest();
  }

  stop() {
    clearTimeout(this.rest);
  }
}
