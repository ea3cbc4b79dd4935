// What Python is told and when, and what its answers may change: a state machine without DOM, timers or clock.
//
// The figure says what happened, with the time in milliseconds, and calls `wake` at `wakeAt`. At most one event is
// under way; what happens meanwhile waits. docs/live.md, "Events", says what can go wrong and what happens then.

/** @import { Answer, Phase, ProtocolHost, UnderWay, Verdict, Waiting } from "./types.d.ts" */

/** Milliseconds: between ticks, at first and at most; until a hint; after the last key; until an event is sent (at most, where answers take long), arrays are asked for, again. */
export const TIMES = { tick: 400, seldom: 2000, late: 400, rest: 250, lost: 1500, slow: 12000, ask: 400 };
const SLOWER = { news: 1.25, same: 1.5 }; // from one tick to the next: long work is asked about less and less often
const DOUBLINGS = 4; // of the last two, at most
const PRESSES = 4; // actions that wait, at most

/** The protocol of one figure. */
export class Protocol {
  /**
   * @param {ProtocolHost} host
   * @param {{ seq: number, session: string }} start the first message from Python
   */
  constructor(host, { seq, session }) {
    this.host = host;
    this.session = session;
    /** The newest number of an event, ours or seen. */
    this.seq = seq;
    /** The newest answer. */
    this.answered = seq;
    /** @type {"free" | "held" | "resting"} a handle is held, or was moved by keys a moment ago */
    this.hand = "free";
    /** @type {UnderWay | null} */
    this.underWay = null;
    /** @type {Waiting[]} */
    this.queue = [];
    /** @type {Map<string, number>} control -> its newest touch */
    this.touches = new Map();
    this.touch = 0;
    /** @type {number | null} touches before an action that is answered, and whose values are not taken yet */
    this.acted = null;
    /** Answers in a row with missing arrays. */
    this.incomplete = 0;
    this.arriving = false; // an answer is here, its arrays are being fetched: it is not lost
    /** Whether the reader should see that an answer is late. */
    this.late = false;
    this.sentAt = -Infinity;
    this.begunAt = -Infinity; // the event under way, sent for the first time
    this.took = 0; // the last answer: a busy server gets more time, what is sent again keeps it busier
    this.restAt = Infinity;
    this.askAt = Infinity;
    this.tickAt = Infinity;
    this.pause = TIMES.tick;
    /** Counts what makes a glance at the news an old one. */
    this.glances = 0;
  }

  /** Whether Python owes nothing and is owed nothing. */
  get quiet() {
    return !this.underWay && !this.queue.length;
  }

  /** Whether something of the reader's is not answered: no answer may overwrite it. */
  get mine() {
    return this.hand !== "free" || !this.quiet;
  }

  get lostAt() {
    if (this.arriving) return Infinity;
    const again = this.underWay?.again ?? Infinity;
    const patience = Math.max(TIMES.lost, Math.min(3 * this.took, TIMES.slow));
    return this.sentAt + Math.min(patience * 2 ** again, TIMES.lost * 2 ** DOUBLINGS);
  }

  /** When `wake` has to be called; Infinity for never. */
  get wakeAt() {
    const answer = !this.underWay
      ? Infinity
      : this.late
        ? this.lostAt
        : Math.min(this.sentAt + TIMES.late, this.lostAt);
    return Math.min(this.restAt, this.askAt, this.tickAt, answer);
  }

  /**
   * A control has a new value of the reader's.
   * @param {string} name
   */
  touched(name) {
    this.touch += 1;
    this.touches.set(name, this.touch);
  }

  /**
   * A handle moves under a pointer; `tells`: only Python can draw it.
   * @param {boolean} tells
   * @param {number} now
   */
  drag(tells, now) {
    this.hand = "held";
    this.restAt = Infinity;
    if (tells) this.tell("drag", null, now);
  }

  /**
   * A handle was moved by a key: the last of a quick series is the one that counts.
   * @param {boolean} tells
   * @param {number} now
   */
  key(tells, now) {
    this.hand = "resting";
    this.restAt = now + TIMES.rest;
    if (tells) this.tell("drag", null, now);
  }

  /**
   * A handle was let go.
   * @param {number} now
   */
  commit(now) {
    this.hand = "free";
    this.restAt = Infinity;
    this.tell("commit", null, now);
  }

  /**
   * A button was pressed.
   * @param {string} action
   * @param {number} now
   */
  act(action, now) {
    this.tell("action", action, now);
  }

  /**
   * The reader looks at something else. What waits tells it anyway.
   * @param {number} now
   */
  look(now) {
    if (!this.queue.length) this.tell("look", null, now);
  }

  /**
   * A message from Python is here.
   * @param {Answer} answer
   * @param {number} now
   * @returns {Verdict}
   */
  answer({ seq, session, missing, busy, same }, now) {
    this.arriving = false;
    this.glances += 1;
    if (session !== this.session) this.restarted(session);
    else if (seq < this.answered) return { draw: false, why: "older" };
    this.seq = Math.max(this.seq, seq);
    this.answered = seq;
    const ticked = this.underWay?.phase === "tick";
    if (this.underWay && seq >= this.underWay.first) {
      if (this.underWay.phase === "action") this.acted = this.underWay.since;
      this.took = now - this.begunAt;
      this.underWay = null;
    }
    if (missing) {
      this.incomplete += 1;
      this.askAt = this.incomplete > 1 ? now + TIMES.ask * 2 ** Math.min(this.incomplete - 2, DOUBLINGS) : now;
      return { draw: false, why: "incomplete" };
    }
    this.incomplete = 0;
    this.askAt = Infinity;
    const slower = this.pause * (same ? SLOWER.same : SLOWER.news);
    this.pause = ticked ? Math.min(slower, TIMES.seldom) : TIMES.tick;
    this.tickAt = busy ? now + this.pause : Infinity;
    const { mine, acted, touches } = this;
    this.acted = null;
    const after = acted ?? -1; // no action: everything touched is kept, and what never was, too
    return { draw: true, mine, keeps: (name) => mine && (touches.get(name) ?? 0) > after };
  }

  /**
   * Another session answers: the server was started anew. It has not heard what is under way.
   * @param {string} session
   */
  restarted(session) {
    const { underWay, queue } = this;
    this.session = session;
    this.underWay = this.acted = null;
    if (!underWay || ["tick", "look", "missing"].includes(underWay.phase)) return;
    const { phase, action, since, values } = underWay;
    if (phase === "action") queue.unshift({ phase, action, since, values });
    else if (!queue.length) queue.push({ phase, action, since, values: null }); // else what waits tells all values
  }

  /**
   * An answer was drawn, or put aside: what waits goes.
   * @param {number} now
   */
  proceed(now) {
    if (this.underWay) return;
    if (!this.queue.length || now - this.sentAt < TIMES.late) this.late = false;
    this.flush(now);
    if (now >= this.askAt) this.ask(now);
  }

  /**
   * It is `wakeAt`, or later.
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
    if (now < this.tickAt) return;
    this.tickAt = Infinity; // until the next answer
    if (!this.mine && !this.host.glance(this.glances)) this.tell("tick", null, now);
  }

  /**
   * A glance at the news is over; without any, the next one follows later.
   * @param {number} number of the glance
   * @param {boolean} news
   * @param {number} now
   */
  heard(number, news, now) {
    if (number !== this.glances || this.mine) return; // the next answer goes on
    if (news) return this.tell("tick", null, now);
    this.pause = Math.min(this.pause * SLOWER.same, TIMES.seldom);
    this.tickAt = now + this.pause;
  }

  /**
   * Ask for missing arrays, unless another event does: each one names the arrays that are here.
   * @param {number} now
   */
  ask(now) {
    this.askAt = Infinity;
    if (this.quiet) this.tell("missing", null, now);
  }

  /**
   * @param {Phase} phase
   * @param {string | null} action
   * @param {number} now
   */
  tell(phase, action, now) {
    this.enqueue({ phase, action, since: this.touch, values: null });
    this.flush(now);
  }

  /**
   * Every event carries all values: of moves the newest is enough, and an action makes a move before it needless.
   * @param {Waiting} event
   */
  enqueue(event) {
    const { queue } = this;
    const last = queue.at(-1);
    if (event.phase === "action") {
      if (last && (last.phase !== "action" || queue.length >= PRESSES)) queue.pop();
      queue.push(event);
    } else if (!last || last.phase === "action") queue.push(event);
    else if (event.phase === "commit" || last.phase === "look") last.phase = event.phase;
  }

  /** @param {number} now */
  flush(now) {
    if (this.underWay) return;
    const event = this.queue.shift();
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
