// The phone's page: enters a room, shows what runs there, sends one answer a question.

import { button, make } from "./dom.js";
import { Remembered } from "./memory.js";
import { SCREENS } from "./screens.js";
import { listen, passes, Refusal, send, soon } from "./wire.js";

/** @import { News, Told } from "./news.d.ts" */

/** @param {string} id */
const part = (id) => /** @type {HTMLElement} */ (document.getElementById(id));

/** One phone. */
class Phone {
  constructor() {
    this.memory = new Remembered(storage());
    /** @type {News | null} */
    this.news = null;
    this.shown = "";
  }

  begin() {
    const wanted = location.hash.slice(1).toUpperCase();
    if (this.memory.now.token && (!wanted || wanted === this.memory.now.code)) this.attend();
    else if (wanted) this.enter(wanted);
    else this.ask();
  }

  /** @param {string} [typed] */
  ask(typed = "") {
    const field = make("input", "code");
    Object.assign(field, { id: "code", maxLength: 9, autocomplete: "off", spellcheck: false, value: typed });
    field.setAttribute("autocapitalize", "characters");
    const label = make("label", "", "The code on the projector");
    label.htmlFor = "code";
    const form = make("form", "", label, field, make("button", "main", "Join"));
    form.addEventListener("submit", (event) => {
      event.preventDefault();
      this.enter(field.value);
    });
    this.show("ask", make("h1", "", "Join your class"), form);
    part("here").textContent = "";
    part("where").textContent = "DP Explorer";
  }

  /** @param {string} code */
  async enter(code) {
    this.say("");
    try {
      const token = this.memory.joining(code, crypto);
      const found = await send("join/enter", { code, token });
      this.memory.enter(found.code, token, found.seat);
      history.replaceState(null, "", `#${found.code}`);
      this.attend();
    } catch (error) {
      this.ask(code);
      this.refused(error);
      const form = part("main").firstChild;
      const field = /** @type {HTMLInputElement} */ (part("code"));
      if (passes(error)) soon(() => part("main").firstChild === form && field.value === code && this.enter(code));
    }
  }

  attend() {
    const { code, seat } = this.memory.now;
    part("where").textContent = `Room ${code}`;
    if (!this.shown) this.show("wait", make("h1", "", "You are in"), make("p", "", "Looking what runs here …"));
    const away = "The room cannot be reached now. This page goes on by itself.";
    const path = `join/events/${code}${seat ? `?seat=${seat}` : ""}`;
    listen(
      path,
      (/** @type {News} */ news) => this.told(news),
      () => this.say(away),
    );
  }

  over() {
    this.memory.leave();
    history.replaceState(null, "", location.pathname);
    const again = button("Enter another code", () => this.ask());
    this.show("over", make("h1", "", "This room is closed"), make("p", "", "What it held is deleted."), again);
    part("here").textContent = "";
  }

  /** @param {News} news */
  told(news) {
    this.news = news;
    this.say("");
    if (news.phase === "closed") return this.over();
    part("here").textContent =
      news.phase === "waiting" ? `${news.joined} here` : `${news.answered} of ${news.joined} answered`;
    const wanted = `${news.turn} ${news.phase}`;
    if (news.phase === "open" && news.boxes && this.memory.lost(news.turn, news.boxes)) {
      this.memory.set({ arrived: false });
      this.deliver();
    } else if (wanted !== this.shown) this.turn(wanted);
  }

  /**
   * @param {string} name of what is shown
   * @returns {Promise<void>}
   */
  async turn(name) {
    const { news, memory } = this;
    const screen = news?.runs && SCREENS[news.runs.kind];
    if (!news || !screen) {
      const words = "The first question appears here by itself.";
      return this.show(name, make("h1", "", "You are in"), make("p", "", words));
    }
    const before = memory.drawn(news.turn);
    if (news.phase === "shown") return this.show(name, ...screen.shown(news, before));
    if (before !== null) {
      if (!memory.now.arrived) return this.deliver();
      return this.show(name, ...screen.sent(news, before, {}));
    }
    try {
      const mine = screen.personal ? await send("join/mine", { token: memory.now.token, turn: news.turn }) : {};
      this.show(name, ...screen.ask(news, mine, (answer, told) => this.give(answer, told)));
      this.say("");
    } catch (error) {
      this.refused(error);
      if (passes(error)) soon(() => this.news?.turn === news.turn && this.shown !== name && this.turn(name));
    }
  }

  /**
   * @param {unknown} answer the randomized answer, which is all that is sent
   * @param {Told} kept values that only this page knows, and shows
   */
  give(answer, kept) {
    if (!this.news || this.memory.drawn(this.news.turn) !== null) return;
    this.memory.set({ turn: this.news.turn, answer, arrived: false, box: "" });
    this.deliver(kept);
  }

  /**
   * @param {Told} [kept]
   * @returns {Promise<void>}
   */
  async deliver(kept = {}) {
    const { token, turn, answer } = this.memory.now;
    this.say("");
    /** @type {Told} */
    let told = {};
    try {
      told = await send("join/answer", { token, turn, answer });
    } catch (error) {
      if (!(error instanceof Refusal) || passes(error)) return this.again(error, kept);
      if (error.status !== 409) this.memory.set({ turn: -1, answer: null });
      if (error.status === 401) return this.over();
      told = { box: error.box }; // the reply to the first sending may have been lost
      this.refused(error);
      const kind = this.news?.runs?.kind;
      const anew = kind && SCREENS[kind]?.personal; // a form is open, with unsent input
      if (error.status !== 409) return anew ? this.turn(this.shown) : undefined;
    }
    this.memory.set({ arrived: true, box: told.box ?? "" });
    const { news } = this;
    const screen = news?.runs && SCREENS[news.runs.kind];
    if (news && screen && news.turn === turn && news.phase === "open") {
      this.show(`${turn} open`, ...screen.sent(news, answer, { ...kept, ...told }));
    }
  }

  /**
   * @param {unknown} error
   * @param {Told} kept
   */
  again(error, kept) {
    const retry = button("Send it again", () => this.deliver(kept), "main");
    this.show(this.shown, make("h1", "", "Not sent yet"), make("p", "", "The same answer will be sent."), retry);
    this.refused(error);
    if (passes(error)) soon(() => retry.isConnected && this.deliver(kept));
  }

  /** @param {unknown} error */
  refused(error) {
    this.say(error instanceof Error ? error.message : "Something went wrong. Load this page again.");
  }

  /** @param {string} words */
  say(words) {
    if (part("said").textContent !== words) part("said").textContent = words;
  }

  /**
   * @param {string} name
   * @param {...Node} inside
   */
  show(name, ...inside) {
    this.shown = name;
    part("main").replaceChildren(...inside);
    scrollTo(0, 0);
  }
}

function storage() {
  try {
    return sessionStorage;
  } catch {
    return null;
  }
}

new Phone().begin();
