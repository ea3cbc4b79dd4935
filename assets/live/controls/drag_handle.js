// What a native slider's events mean: dragged, moved by keys, let go. No DOM.

/** @import { Move } from "../types.d.ts" */

/** One hand on one slider. */
export class DragHandle {
  /** @param {(how: Move) => void} moved */
  constructor(moved) {
    this.moved = moved;
    this.pointer = false;
    this.dirty = false; // moved since it was last let go
  }

  /** A pointer is down. */
  down() {
    this.pointer = true;
  }

  /** The slider has another value. */
  input() {
    this.dirty = true;
    this.moved("drag");
  }

  /** The browser says that a move is over: of a pointer, or of one key. */
  change() {
    if (this.pointer) return this.release();
    if (this.dirty) this.moved("key");
    this.dirty = false;
  }

  /** The pointer is up: a drag that ends where it began has no "change", and is let go all the same. */
  release() {
    if (this.pointer && this.dirty) this.moved("commit");
    this.pointer = this.dirty = false;
  }
}
