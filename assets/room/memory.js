// The memory of this page until its tab is closed: the room, its one-time token, and the answer that was sent. No DOM.

/**
 * @typedef {object} Memory
 * @property {string} code
 * @property {string} token made by this phone
 * @property {{ code: string, token: string } | null} asked to join, without an answer so far
 * @property {string} seat the name under which this phone listens
 * @property {number} turn of the answer below
 * @property {unknown} answer what was sent, after the coins; null when there is none
 * @property {boolean} arrived whether the server has it
 * @property {string} box where the server holds it; empty when it only said that it has it
 */

const NAME = "dp.room";
/** @type {Memory} */
const NOTHING = { code: "", token: "", asked: null, seat: "", turn: -1, answer: null, arrived: false, box: "" };

/** @typedef {{ getRandomValues: (into: Uint8Array<ArrayBuffer>) => unknown }} Source */

/**
 * Return a token of 192 bits from the browser's secure random numbers.
 * @param {Source} source
 */
function newToken(source) {
  const bytes = new Uint8Array(24);
  source.getRandomValues(bytes);
  const signs = btoa(String.fromCharCode(...bytes));
  return signs.replaceAll("+", "-").replaceAll("/", "_");
}

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
   * Return the token with which to ask for a place in a room. It is the same until the room has answered: the reply to
   * an earlier request may have been lost, and the phone has one place.
   * @param {string} typed the code
   * @param {Source} source
   */
  joining(typed, source) {
    const code = typed.replace(/\s/g, "").toUpperCase();
    const { asked } = this.now;
    if (asked?.code === code && typeof asked.token === "string") return asked.token;
    const token = newToken(source);
    this.set({ asked: { code, token } });
    return token;
  }

  /**
   * Enter a room.
   * @param {string} code
   * @param {string} token
   * @param {string} [seat]
   */
  enter(code, token, seat = "") {
    this.set({ ...NOTHING, code, token, seat });
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
