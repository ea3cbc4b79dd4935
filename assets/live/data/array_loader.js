// Fetch the arrays of a figure: those seen first at once, the others when they are needed.

import { bodies, decode } from "./decode.js";
import { content } from "./packed.js";
import { isHere, keep, receive } from "./slices.js";

/** @import { Connection } from "./connection.js" */
/** @import { FileSpec, Message } from "../types.d.ts" */

const PATIENCE = 30_000; // milliseconds for one file

/** @type {Map<string, Promise<boolean>>} */
const UNDER_WAY = new Map();

/** @param {FileSpec} file */
const lacks = (file) => !file.ids.every(isHere);

/**
 * @param {FileSpec} file
 * @param {"high" | "auto" | "low"} priority
 */
async function fetched({ url, ids }, priority) {
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = await fetch(new URL(url, document.baseURI), { priority, signal });
    if (!answer.ok) return false;
    bodies(await content(answer, url).arrayBuffer()).forEach((body, i) => {
      if (!isHere(ids[i])) keep(ids[i], decode(body));
    });
    return ids.every(isHere);
  } catch {
    return false; // Python sends it instead
  }
}

/**
 * Fetch files of arrays; return the digests that failed. A file under way is not fetched twice.
 * @param {FileSpec[]} files
 * @param {{ priority?: "high" | "auto" | "low" }} how
 */
export async function fetchArrays(files, { priority = "auto" } = {}) {
  const wanted = files.filter(lacks);
  const had = wanted.map((file) => {
    const known = UNDER_WAY.get(file.url) ?? fetched(file, priority).finally(() => UNDER_WAY.delete(file.url));
    UNDER_WAY.set(file.url, known);
    return known;
  });
  await Promise.all(had);
  return wanted.flatMap((file) => file.ids.filter((id) => !isHere(id)));
}

/** The fetches of one figure. */
export class ArrayLoader {
  /** @param {{ arrived(): void, connection: Pick<Connection, "arriving" | "lacks" | "wanted"> }} figure */
  constructor(figure) {
    this.figure = figure;
    /** @type {FileSpec[]} */
    this.files = [];
    /** Number of fetches that are under way or scheduled. */
    this.pending = 0;
  }

  /**
   * Receive the arrays of a message and fetch those seen first; return whether some are missing.
   * @param {Pick<Message, "arrays" | "files">} message
   * @param {string} [tab] the open one: what it draws is seen too
   */
  async lacks({ arrays, files }, tab = "") {
    const { connection } = this.figure;
    const missing = receive(arrays, files);
    const first = files.filter((file) => ["", `tab ${tab}`].includes(file.purpose) && lacks(file));
    if (!first.length) return missing.length > 0;
    connection.arriving();
    connection.wanted = await fetchArrays(first, { priority: "high" });
    return missing.length + connection.wanted.length > 0;
  }

  /**
   * Make a message that was drawn the one whose files are fetched from now on.
   * @param {Pick<Message, "files">} message
   */
  take({ files }) {
    this.files = files;
  }

  /** @param {string} purpose */
  of(purpose) {
    return this.files.filter((file) => file.purpose === purpose);
  }

  /**
   * Return whether all arrays of a purpose are here.
   * @param {string} purpose
   */
  has(purpose) {
    return !this.of(purpose).some(lacks);
  }

  /**
   * Fetch the arrays of a purpose, and draw them.
   * @param {string} purpose
   * @param {"high" | "auto" | "low"} priority
   */
  async bring(purpose, priority = "auto") {
    const files = this.of(purpose).filter(lacks);
    if (!files.length) return true;
    this.pending += 1;
    const lost = await fetchArrays(files, { priority });
    this.pending -= 1;
    if (this.files.includes(files[0])) {
      if (lost.length && purpose.startsWith("tab ")) this.figure.connection.lacks(lost);
      this.figure.arrived();
    }
    return !lost.length;
  }

  /** Fetch the remaining files, one purpose after the other, whenever the browser is idle. */
  async rest() {
    const { files } = this;
    if (!files.some(lacks)) return;
    this.pending += 1;
    for (const purpose of new Set(files.map((file) => file.purpose))) {
      await new Promise((idle) => (globalThis.requestIdleCallback ?? setTimeout)(idle));
      if (this.files !== files) break; // another message has its own remaining files
      await this.bring(purpose, "low");
    }
    this.pending -= 1;
  }
}
