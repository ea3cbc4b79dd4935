// The connection of a figure with Python: the protocol with a clock, a timer and Streamlit's component.

import { Protocol } from "./protocol.js";
import { held } from "./slices.js";
import { TIMES } from "./timeouts.js";

/** @import { Component, Message, Move, TestSurface, SentEvent, Verdict, Values } from "../types.d.ts" */

/**
 * What the connection asks of its figure. `connected`: whether it is in the page; `late`: an answer is late.
 * @typedef {object} Partner
 * @property {() => Values} values
 * @property {() => void} committing
 * @property {() => Pick<SentEvent, "tab" | "near">} looking what the reader looks at
 * @property {() => boolean} connected
 * @property {(late: boolean) => void} late
 * @property {(busy: Message["busy"]) => void} progress
 */

const PATIENCE = 10_000; // milliseconds for one request for news

/** Whether the server answers requests for news: an app without our routes is asked once. */
let routed = true;

/**
 * Ask the server for news without running the page; null where it does not answer.
 * @param {string} url
 * @returns {Promise<{ news: boolean, busy?: Message["busy"] } | null>}
 */
async function newsAt(url) {
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = await fetch(new URL(url, document.baseURI), { cache: "no-store", signal });
    if (answer.ok && answer.headers.get("content-type")?.includes("json")) return await answer.json();
    if (answer.status < 500) routed = false;
  } catch {
    // the server is away: the page finds out, and waits for it
  }
  return null;
}

/** The connection of one figure. */
export class Connection {
  /**
   * @param {Partner} partner
   * @param {Pick<Message, "seq" | "session">} start
   */
  constructor(partner, start) {
    this.partner = partner;
    /** @type {Pick<Component, "setStateValue"> | null} */
    this.line = null;
    /** @type {ReturnType<typeof setTimeout> | undefined} */
    this.alarm = undefined;
    this.events = 0;
    /** Whether the reader has moved or pressed something that Python answers. */
    this.acted = false;
    /** @type {string[]} arrays that could not be fetched: Python sends them in its message */
    this.wanted = [];
    /** @type {Parameters<TestSurface["listen"]>[0][]} */
    this.listeners = [];
    /** @type {(event: SentEvent) => SentEvent} */
    this.outgoing = (event) => event;
    const { values, committing } = partner;
    const send = (/** @type {Omit<SentEvent, "held" | "wanted" | "tab" | "near">} */ event) =>
      this.send({ ...event, held: held(), wanted: this.wanted, ...this.partner.looking() });
    const poll = (/** @type {number} */ number) => this.poll(number);
    this.protocol = new Protocol({ values, committing, send, poll }, start);
    /** Address that is asked for news; "" for none. */
    this.news = "";
    /** @type {string | null} the tab and controls that Python was sent last; null before the first picture */
    this.seen = null;
  }

  /**
   * Take a message, with or without all its arrays.
   * @param {Component} component
   * @param {boolean} missing
   * @returns {Verdict}
   */
  answer(component, missing) {
    const { seq, session, busy, news } = component.data;
    this.news = news;
    this.line = component;
    const same = "same" in component.data;
    return this.protocol.answer({ seq, session, missing, busy: Boolean(busy), same }, performance.now());
  }

  /** Note that the arrays of a message are being fetched. */
  arriving() {
    this.protocol.arriving = true;
    this.follow();
  }

  /**
   * Note arrays that could not be fetched, and ask Python for them.
   * @param {string[]} ids
   */
  lacks(ids) {
    this.wanted = ids;
    this.protocol.askAt = performance.now() + TIMES.ask;
    this.follow();
  }

  /** Go on after a message was drawn, or put aside. */
  proceed() {
    this.protocol.proceed(performance.now());
    this.look();
  }

  /** Send that the reader looks at something else: a tab was opened, a handle came near. */
  look() {
    const looking = this.partner.looking();
    const [seen, any] = [JSON.stringify(looking), looking.tab !== undefined || looking.near?.length];
    if (this.seen !== null && this.seen !== seen && any) this.protocol.look(performance.now());
    this.seen = seen;
    this.follow();
  }

  /**
   * @param {Move} how
   * @param {boolean} needsPython whether only Python can draw it
   */
  moved(how, needsPython) {
    const now = performance.now();
    if (how === "commit") this.protocol.commit(now);
    else if (how === "drag") this.protocol.drag(needsPython, now);
    else this.protocol.key(needsPython, now);
    this.follow();
  }

  /** @param {string} action */
  act(action) {
    this.protocol.act(action, performance.now());
    this.follow();
  }

  /** Set the timer that the protocol wants after each message, and show whether an answer is late. */
  follow() {
    this.partner.late(this.protocol.late);
    clearTimeout(this.alarm);
    const { wakeAt } = this.protocol;
    if (wakeAt === Infinity) return;
    this.alarm = setTimeout(() => this.wake(), Math.max(Math.ceil(wakeAt - performance.now()), 0));
  }

  wake() {
    if (!this.partner.connected()) return; // the next answer goes on
    this.protocol.wake(performance.now());
    this.follow();
  }

  /**
   * Ask for news without running Python; return whether there is an address to ask.
   * @param {number} number
   */
  poll(number) {
    if (!this.news || !routed) return false;
    newsAt(this.news).then((found) => {
      if (!this.line) return; // the figure is gone
      if (found?.busy) this.partner.progress(found.busy);
      this.protocol.heard(number, found?.news ?? true, performance.now());
      this.follow();
    });
    return true;
  }

  /** @param {SentEvent} event */
  send(event) {
    this.events += 1;
    if (event.phase !== "tick") this.acted = true;
    this.line?.setStateValue("event", this.outgoing(event));
    this.happened("sent", event);
  }

  /** @type {Parameters<TestSurface["listen"]>[0]} */
  happened(what, event) {
    for (const listener of this.listeners) listener(what, event);
  }

  /** Stop: the figure has left the page. */
  stop() {
    clearTimeout(this.alarm);
    this.line = null;
  }
}
