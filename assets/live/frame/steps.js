// The place along the outcomes: back and forth, so that neighbours are blended on the way. No DOM.

/** Which outcome is in view, and how far the way to it is gone. */
export class Steps {
  constructor() {
    this.n = 0;
    this.at = 0;
    this.from = 0;
    this.way = 1;
    this.share = 1;
  }

  /** @param {number} n how many outcomes there are */
  resize(n) {
    this.n = n;
    if (this.at < n) return;
    this.at = this.from = Math.max(n - 1, 0);
    this.share = 1;
  }

  /** Take the next outcome as the goal; at an end the way turns. */
  next() {
    this.from = this.at;
    if (this.n < 2) return;
    if (this.at + this.way < 0 || this.at + this.way >= this.n) this.way = -this.way;
    this.at += this.way;
    this.share = 0;
  }

  /** @param {number} share of the way gone, from 0 to 1: slow at both ends */
  ease(share) {
    this.share = share * share * (3 - 2 * share);
  }

  /** @param {number} at the outcome to show at once */
  show(at) {
    this.at = at;
    this.settle();
  }

  /** Go the rest of the way at once. */
  settle() {
    this.from = this.at;
    this.share = 1;
  }

  get place() {
    return this.share >= 1 ? this.at : this.from + (this.at - this.from) * this.share;
  }
}
