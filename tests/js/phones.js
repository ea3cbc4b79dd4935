// A class of phones: each runs the script of the phones' page as it stands, in a page of its own, against a real server.
// Started as `node phones.js SCRIPT ADDRESS CODE NUMBER`. It reads commands, one JSON object a line, and answers each.

import { readFileSync } from "node:fs";
import { createInterface } from "node:readline";
import { Element, page } from "./page.js";

const [file, address, code, number] = process.argv.slice(2);
const SHORTER = 5; // the script's waits and the browser's are this many times shorter
const AGAIN = 3000; // ms after which browsers open a broken stream again
const wait = (again, ms) => setTimeout(again, ms / SHORTER);
page(); // all phones' elements hang in one body

/** A browser's stream of events: opened again when it breaks, given up where something else is answered. */
class Stream {
  readyState = 0;
  constructor(phone, path) {
    Object.assign(this, { phone, path });
    phone.stream = this;
    this.open();
  }
  async open() {
    this.stop = new AbortController();
    let left = "";
    try {
      const found = await fetch(new URL(this.path, address), { signal: this.stop.signal });
      if (!found.ok) return this.broken(2);
      this.readyState = 1;
      for await (const part of found.body.pipeThrough(new TextDecoderStream())) {
        const lines = (left + part).split("\n");
        left = lines.pop();
        for (const line of lines) if (line.startsWith("data: ")) this.heard(line.slice(6));
      }
    } catch {
      // The connection is closed.
    }
    if (this.readyState !== 2) this.broken(0);
  }
  heard(data) {
    this.phone.news = JSON.parse(data);
    this.phone.carefully(() => this.onmessage({ data }));
  }
  broken(state) {
    this.readyState = state;
    this.phone.cut();
    this.phone.carefully(() => this.onerror());
    if (state === 0) wait(() => this.open(), AGAIN);
  }
  close() {
    this.readyState = 2;
    this.stop.abort();
  }
}

/** The fields of a form by their names. */
class Fields {
  constructor(form) {
    this.form = form;
  }
  *[Symbol.iterator]() {
    for (const { name, value } of this.form.all()) if (name) yield [name, value];
  }
}

/** An option of a choice. */
class Choice extends Element {
  constructor(words, value) {
    super("option");
    this.append(words);
    this.value = value;
  }
}

class Phone {
  news = null;
  kept = new Map();
  problems = [];
  isDeaf = false;
  unheard = []; // answers of the server that wait for the connection to break
  parts = Object.fromEntries(["main", "said", "here", "where"].map((id) => [id, new Element(id)]));

  /** @param {string} script */
  constructor(script) {
    const { parts, kept } = this;
    document.body.append(parts.main);
    const browser = {
      document: {
        createElement: (tag) => new Element(tag),
        createElementNS: (_space, tag) => new Element(tag),
        getElementById: (id) => parts[id] ?? parts.main.all().find((node) => node.id === id),
      },
      location: { hash: `#${code}`, pathname: "/join" },
      history: { replaceState() {} },
      sessionStorage: {
        getItem: (name) => kept.get(name) ?? null,
        setItem: (name, text) => kept.set(name, text),
        removeItem: (name) => kept.delete(name),
      },
      EventSource: Stream.bind(null, this),
      fetch: (...given) => this.fetch(...given),
      setTimeout: (again, ms) => wait(() => this.carefully(again), ms),
      scrollTo() {},
      FormData: Fields,
      Option: Choice,
      HTMLInputElement: { [Symbol.hasInstance]: (node) => node.tag === "input" },
    };
    new Function(...Object.keys(browser), script)(...Object.values(browser));
  }

  /** Ask the server; a deaf phone hears no answer until its connection is broken. */
  async fetch(path, options) {
    const found = await fetch(new URL(path, address), options);
    if (!this.isDeaf) return found;
    await new Promise((heard) => this.unheard.push(heard));
    throw new TypeError("the connection is broken");
  }

  /** Its connection breaks. */
  cut() {
    this.isDeaf = false;
    for (const heard of this.unheard.splice(0)) heard();
  }

  carefully(act) {
    try {
      act();
    } catch (error) {
      this.problems.push(String(error.stack));
    }
  }

  /** Answer what is asked with the fingers: a button, a row of buttons, or a form. */
  give(answer) {
    const { main } = this.parts;
    if (typeof answer === "string") main.button(answer).click();
    else if (Array.isArray(answer)) for (const name of answer) main.button(name).click();
    else {
      const form = main.all().find((node) => node.tag === "form");
      for (const node of form.all()) if (node.name) node.value = answer[node.name];
      form.fire("submit");
    }
  }

  get state() {
    const memory = JSON.parse(this.kept.get("dp.room") ?? "null");
    const [main, said] = [this.parts.main.textContent, this.parts.said.textContent];
    const buttons = this.parts.main.all().filter((node) => node.tag === "button").length;
    return { main, said, buttons, memory, news: this.news, problems: this.problems, unheard: this.unheard.length };
  }
}

const script = readFileSync(file, "utf8");
const phones = Array.from({ length: Number(number) }, () => new Phone(script));
const COMMANDS = {
  deafen: (k) => {
    phones[k].isDeaf = true;
  },
  disconnect: (k) => phones[k].stream.stop.abort(),
  give: (k, answer) => phones[k].give(answer),
  state: () => {},
};
for await (const line of createInterface({ input: process.stdin })) {
  const { act, given } = JSON.parse(line);
  for (const [k, answer] of Object.entries(given)) COMMANDS[act](Number(k), answer);
  console.log(JSON.stringify(phones.map((phone) => phone.state)));
}
process.exit();
