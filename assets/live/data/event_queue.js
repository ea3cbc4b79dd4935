// The events that wait while one is under way. No DOM, no clock.

/** @import { UnderWay, Waiting } from "../types.d.ts" */

const PRESSES = 4; // largest number of actions that wait
const IDLE = ["tick", "look", "missing"]; // phases that are sent again anyway

/** A queue of events. */
export class EventQueue {
  constructor() {
    /** @type {Waiting[]} */
    this.events = [];
  }

  get empty() {
    return !this.events.length;
  }

  /**
   * Add an event. All carry all values: of moves the newest is enough, and an action replaces the move before it.
   * @param {Waiting} event
   */
  add(event) {
    const { events } = this;
    const last = events.at(-1);
    if (event.phase === "action") {
      if (last && (last.phase !== "action" || events.length >= PRESSES)) events.pop();
      events.push(event);
    } else if (!last || last.phase === "action") events.push(event);
    else if (event.phase === "commit" || last.phase === "look") last.phase = event.phase;
  }

  /**
   * Put an action whose sending was lost before all others, with its own values.
   * @param {UnderWay} underWay
   */
  again({ phase, action, since, values }) {
    if (IDLE.includes(phase)) return;
    if (phase === "action") this.events.unshift({ phase, action, since, values });
    else if (this.empty) this.events.push({ phase, action, since, values: null }); // else what waits tells all values
  }

  /** Remove and return the next event; undefined for none. */
  next() {
    return this.events.shift();
  }
}
