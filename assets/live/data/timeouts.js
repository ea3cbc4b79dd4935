// Timeouts of the figure in milliseconds. No timer, no clock.

export const TIMES = {
  tick: 400, // from an answer to the first tick
  seldom: 2000, // between two ticks, at most
  late: 400, // until the figure shows that an answer is late
  rest: 250, // after the last key of a series
  lost: 1500, // until an event is sent again, at least
  slow: 12000, // the same where answers take long, at most
  ask: 400, // until missing arrays are asked for again
};
const SLOWER = { news: 1.25, same: 1.5 }; // between two ticks: long computations are asked about less and less often
const DOUBLINGS = 4; // of the waits for an answer and for arrays, at most

/**
 * Return how long an answer may take before its event is sent again.
 * @param {number} took duration of the last answer: a busy server gets more time, since repeated events keep it busier
 * @param {number} again number of repeated sendings before
 */
export function patience(took, again) {
  const first = Math.max(TIMES.lost, Math.min(3 * took, TIMES.slow));
  return Math.min(first * 2 ** again, TIMES.lost * 2 ** DOUBLINGS);
}

/**
 * Return how long to wait before missing arrays are asked for.
 * @param {number} incomplete answers in a row that lacked some
 */
export function untilAsked(incomplete) {
  return incomplete > 1 ? TIMES.ask * 2 ** Math.min(incomplete - 2, DOUBLINGS) : 0;
}

/** The times at which the figure asks for news of a computation. */
export class Ticks {
  constructor() {
    this.at = Infinity;
    this.pause = TIMES.tick;
  }

  /**
   * Note an answer.
   * @param {{ busy: boolean, same: boolean }} answer
   * @param {boolean} ticked whether a tick has asked for it
   * @param {number} now
   */
  answered({ busy, same }, ticked, now) {
    const slower = this.pause * (same ? SLOWER.same : SLOWER.news);
    this.pause = ticked ? Math.min(slower, TIMES.seldom) : TIMES.tick;
    this.at = busy ? now + this.pause : Infinity;
  }

  /**
   * Note that there is no news: ask less often.
   * @param {number} now
   */
  later(now) {
    this.pause = Math.min(this.pause * SLOWER.same, TIMES.seldom);
    this.at = now + this.pause;
  }
}
