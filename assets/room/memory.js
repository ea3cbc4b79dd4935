// The memory of this page until its tab is closed: the room, its one-time token, and the answer that was sent. No DOM.

/**
 * @typedef {object} Memory
 * @property {string} code
 * @property {string} token
 * @property {number} turn of the answer below
 * @property {unknown} answer what was sent, after the coins; null when there is none
 * @property {boolean} arrived whether the server has it
 * @property {string} box where the server holds it; empty when it only said that it has it
 */

const NAME = "dp.room";
/** @type {Memory} */
const NOTHING = { code: "", token: "", turn: -1, answer: null, arrived: false, box: "" };

/** The remembered values; a browser without storage remembers until the page is left. */
export class Remembered {
  /** @param {Pick<Storage, "getItem" | "setItem" | "removeItem"> | null} storage */
  constructor(storage) {
    this.storage = storage;
    /** @type {Memory} */
    this.now = { ...NOTHING, ...this.read() };
  }

  /** @returns {Partial<Memory>} */
  read() {
    try {
      const found = JSON.parse(this.storage?.getItem(NAME) ?? "null");
      return typeof found?.code === "string" && typeof found?.token === "string" ? found : {};
    } catch {
      return {};
    }
  }

  /** @param {Partial<Memory>} more */
  set(more) {
    this.now = { ...this.now, ...more };
    try {
      this.storage?.setItem(NAME, JSON.stringify(this.now));
    } catch {
      // Private windows of some browsers have a storage that takes nothing.
    }
  }

  /**
   * Enter a room.
   * @param {string} code
   * @param {string} token
   */
  enter(code, token) {
    this.set({ ...NOTHING, code, token });
  }

  /**
   * Return the answer to this question that was randomized already: the same is sent again, since a second toss would
   * reveal more.
   * @param {number} turn
   */
  drawn(turn) {
    return this.now.turn === turn ? this.now.answer : null;
  }

  /**
   * Return whether the answer to this question is lost: the process that held it in memory has ended.
   * @param {number} turn
   * @param {string[]} boxes those whose answers count
   */
  lost(turn, boxes) {
    const { arrived, box } = this.now;
    return this.now.turn === turn && arrived && box !== "" && !boxes.includes(box);
  }

  leave() {
    this.now = { ...NOTHING };
    try {
      this.storage?.removeItem(NAME);
    } catch {
      // As above.
    }
  }
}
