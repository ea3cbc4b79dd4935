// A protocol in a test: a clock that is set, values, what was sent, and a Python that answers when it is told to.

import { Protocol } from "../../assets/live/data/protocol.js";
import { merged } from "../../assets/live/data/values.js";

export const CONTROLS = [
  { kind: "slider", name: "clip", grid: [0, 1, 2, 3, 4, 5], mode: "server" },
  { kind: "slider", name: "epsilon", grid: [0, 1, 2, 3, 4, 5], mode: "local" },
  { kind: "slider", name: "progress", grid: [0, 50, 100], mode: "local", play: true },
  { kind: "number", name: "seed", low: 0, high: null },
];
const FIRST = { clip: 1, epsilon: 1, progress: 0, seed: 3 };

/** What pages do with an event: the values it tells, and then its action. */
function heard(known, { phase, action, values }) {
  const told = ["drag", "commit", "action"].includes(phase) ? { ...known, ...values } : known;
  if (action === "redraw") return { ...told, seed: told.seed + 1 };
  return action === "reset" ? { ...FIRST } : told;
}

export class Rig {
  now = 0;
  values = { ...FIRST };
  python = { ...FIRST };
  session = "first";
  sent = [];
  rests = 0;
  /** Glances at the news, by their numbers; null: there is no place to look. */
  polled = null;

  constructor(seq = 0) {
    const send = (event) => this.sent.push(event);
    const committing = () => (this.rests += 1);
    const poll = (number) => this.polled !== null && Boolean(this.polled.push(number));
    const host = { values: () => this.values, send, committing, poll };
    this.protocol = new Protocol(host, { seq, session: this.session });
  }

  /** What was sent, in short: "drag", "action redraw". */
  get told() {
    return this.sent.map(({ phase, action }) => (action ? `${phase} ${action}` : phase));
  }

  /** The newest event. */
  get last() {
    return this.sent.at(-1);
  }

  set(name, value) {
    this.values = { ...this.values, [name]: value };
    this.protocol.touched(name);
  }

  drag(name, value, needsPython = true) {
    this.set(name, value);
    this.protocol.drag(needsPython, this.now);
  }

  key(name, value, needsPython = true) {
    this.set(name, value);
    this.protocol.key(needsPython, this.now);
  }

  commit(name, value) {
    if (name) this.set(name, value);
    this.protocol.commit(this.now);
  }

  press(action) {
    this.protocol.act(action, this.now);
  }

  /** Python hears an event, and does not answer yet. */
  hear(event = this.last) {
    this.python = heard(this.python, event);
    return event.seq;
  }

  /** An answer arrives; by default to the newest event, which Python hears now. */
  answer(
    seq = this.hear(),
    { missing = false, busy = false, same = false, values = this.python, session = this.session } = {},
  ) {
    const verdict = this.protocol.answer({ seq, session, missing, busy, same }, this.now);
    if (verdict.draw && !same)
      this.values = merged(this.values, { controls: CONTROLS, values }, verdict.keeps, verdict.anew);
    this.protocol.proceed(this.now);
    return verdict;
  }

  /** The newest request for news is answered. */
  heard(news, number = this.polled.at(-1)) {
    this.protocol.heard(number, news, this.now);
  }

  /** Time passes; the protocol is woken whenever it wants to. */
  wait(ms) {
    const end = this.now + ms;
    for (let woken = 0; this.protocol.wakeAt <= end; woken++) {
      if (woken > 1000) throw new Error("the protocol never rests");
      this.now = Math.max(this.now, this.protocol.wakeAt);
      this.protocol.wake(this.now);
    }
    this.now = end;
  }
}
