// Which events go to Python and when, and what answers may change: a state machine without DOM, timers or clock.
//
// The figure says what happened, with the time in milliseconds, and calls `wake` at `wakeAt`. At most one event is
// under way; what happens meanwhile waits. docs/live.md, "Events", says what can go wrong and what happens then.

import { EventQueue } from "./event_queue.js";
import { patience, TIMES, Ticks, untilAsked } from "./timeouts.js";

/** @import { Answer, Phase, ProtocolHost, UnderWay, Verdict } from "../types.d.ts" */

/** The protocol of one figure. */
export class Protocol {
  /**
   * @param {ProtocolHost} host
   * @param {{ seq: number, session: string }} start the first message from Python
   */
  constructor(host, { seq, session }) {
    this.host = host;
    this.session = session;
    /** The largest number of an event, sent or seen. */
    this.seq = seq;
    /** The number of the newest answer. */
    this.answered = seq;
    /** @type {"free" | "held" | "resting"} a handle is held, or was moved by keys a moment ago */
    this.hand = "free";
    /** @type {UnderWay | null} */
    this.underWay = null;
    this.queue = new EventQueue();
    /** @type {Map<string, number>} control -> its newest touch */
    this.touches = new Map();
    this.touch = 0;
    /** @type {UnderWay | null} an action that is answered, and whose values are not taken yet */
    this.acted = null;
    /** Answers in a row with missing arrays. */
    this.incomplete = 0;
    this.arriving = false; // an answer is here, its arrays are being fetched
    /** Whether the reader should see that an answer is late. */
    this.late = false;
    this.sentAt = -Infinity;
    this.begunAt = -Infinity; // the event under way, sent for the first time
    this.took = 0; // the last answer
    this.restAt = Infinity;
    this.askAt = Infinity;
    this.ticks = new Ticks();
    this.polls = 0; // raised by every message: the reply to an earlier poll is ignored
  }

  /** Whether no event waits and none is under way. */
  get quiet() {
    return !this.underWay && this.queue.empty;
  }

  /** Whether a change by the reader is not answered yet: no answer may overwrite it. */
  get mine() {
    return this.hand !== "free" || !this.quiet;
  }

  /** The time at which the event under way is sent again; an answer whose arrays are being fetched is not lost. */
  get lostAt() {
    const { underWay, arriving, sentAt, took } = this;
    return underWay && !arriving ? sentAt + patience(took, underWay.again) : Infinity;
  }

  /** The time at which `wake` has to be called; Infinity for never. */
  get wakeAt() {
    const late = this.underWay && !this.late ? this.sentAt + TIMES.late : Infinity;
    return Math.min(this.restAt, this.askAt, this.ticks.at, late, this.lostAt);
  }

  /**
   * Note that the reader changed a control.
   * @param {string} name
   */
  touched(name) {
    this.touch += 1;
    this.touches.set(name, this.touch);
  }

  /**
   * Note that a handle moves under a pointer; `needsPython`: only Python can draw it.
   * @param {boolean} needsPython
   * @param {number} now
   */
  drag(needsPython, now) {
    this.hand = "held";
    this.restAt = Infinity;
    if (needsPython) this.send("drag", null, now);
  }

  /**
   * Note that a key moved a handle: the last of a quick series is sent.
   * @param {boolean} needsPython
   * @param {number} now
   */
  key(needsPython, now) {
    this.hand = "resting";
    this.restAt = now + TIMES.rest;
    if (needsPython) this.send("drag", null, now);
  }

  /**
   * Send the value of a handle that was released.
   * @param {number} now
   */
  commit(now) {
    this.hand = "free";
    this.restAt = Infinity;
    this.send("commit", null, now);
  }

  /**
   * Send the action of a button.
   * @param {string} action
   * @param {number} now
   */
  act(action, now) {
    this.send("action", action, now);
  }

  /**
   * Send that the reader looks at something else, unless an event that waits does.
   * @param {number} now
   */
  look(now) {
    if (this.queue.empty) this.send("look", null, now);
  }

  /**
   * Judge a message from Python: whether it is drawn, and whose values count.
   * @param {Answer} answer
   * @param {number} now
   * @returns {Verdict}
   */
  answer({ seq, session, missing, busy, same }, now) {
    this.arriving = false;
    this.polls += 1;
    if (session !== this.session) this.restarted(session);
    else if (seq < this.answered) return { draw: false, why: "older" };
    this.seq = Math.max(this.seq, seq);
    this.answered = seq;
    const ticked = this.underWay?.phase === "tick";
    if (this.underWay && seq >= this.underWay.first) {
      if (this.underWay.phase === "action") this.acted = this.underWay;
      this.took = now - this.begunAt;
      this.underWay = null;
    }
    if (missing) {
      this.incomplete += 1;
      this.askAt = now + untilAsked(this.incomplete);
      return { draw: false, why: "incomplete" };
    }
    this.incomplete = 0;
    this.askAt = Infinity;
    this.ticks.answered({ busy, same }, ticked, now);
    const { mine, acted, touches } = this;
    this.acted = null;
    const [after, anew] = [acted?.since ?? -1, acted?.action === "reset"]; // no action: all of the reader's is kept
    return { draw: true, mine, anew, keeps: (name) => mine && (touches.get(name) ?? 0) > after };
  }

  /**
   * Start again with another session: the server was restarted and has not seen the event under way.
   * @param {string} session
   */
  restarted(session) {
    this.session = session;
    if (this.underWay) this.queue.again(this.underWay);
    this.underWay = this.acted = null;
  }

  /**
   * Send the next event after an answer was drawn, or put aside.
   * @param {number} now
   */
  proceed(now) {
    if (this.underWay) return;
    if (this.queue.empty || now - this.sentAt < TIMES.late) this.late = false;
    this.flush(now);
    if (now >= this.askAt) this.ask(now);
  }

  /**
   * Do what is due at `wakeAt`.
   * @param {number} now
   */
  wake(now) {
    if (now >= this.restAt) {
      this.host.committing();
      this.commit(now);
    }
    if (this.underWay && now >= this.sentAt + TIMES.late) this.late = true;
    if (this.underWay && now >= this.lostAt) this.transmit({ ...this.underWay, again: this.underWay.again + 1 }, now);
    if (now >= this.askAt) this.ask(now);
    if (now < this.ticks.at) return;
    this.ticks.at = Infinity; // until the next answer
    if (!this.mine && !this.host.poll(this.polls)) this.send("tick", null, now);
  }

  /**
   * Note the reply to a request for news; without any, the next request follows later.
   * @param {number} number of the poll
   * @param {boolean} news
   * @param {number} now
   */
  heard(number, news, now) {
    if (number !== this.polls || this.mine) return; // the next answer goes on
    if (news) return this.send("tick", null, now);
    this.ticks.later(now);
  }

  /**
   * Ask for missing arrays, unless another event does: each one names the arrays that are here.
   * @param {number} now
   */
  ask(now) {
    this.askAt = Infinity;
    if (this.quiet) this.send("missing", null, now);
  }

  /**
   * @param {Phase} phase
   * @param {string | null} action
   * @param {number} now
   */
  send(phase, action, now) {
    this.queue.add({ phase, action, since: this.touch, values: null });
    this.flush(now);
  }

  /** @param {number} now */
  flush(now) {
    if (this.underWay) return;
    const event = this.queue.next();
    if (event)
      this.transmit({ ...event, values: event.values ?? this.host.values(), first: this.seq + 1, again: 0 }, now);
  }

  /**
   * @param {UnderWay} event
   * @param {number} now
   */
  transmit(event, now) {
    this.seq += 1;
    this.sentAt = now;
    if (!event.again) this.begunAt = now;
    this.underWay = event;
    const { phase, action, values } = event;
    this.host.send({ seq: this.seq, phase, action, values: { ...values } });
  }
}
