// Arithmetic in answers, such as ln(3)/2 or 1.3·10⁻⁵, as the app reads it; what can be read in two ways is not read.

/** @type {Record<string, (x: number) => number>} */
const FUNCTIONS = { sqrt: Math.sqrt, ln: Math.log, log: Math.log, exp: Math.exp, abs: Math.abs };
/** @type {Record<string, number>} */
const NAMES = { e: Math.E, pi: Math.PI };
const HIGH = "⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺";
const LOW = "0123456789-+";
/** @type {[RegExp, string][]} */
const SIGNS = [
  [/[−–‐‑‒—]/g, "-"],
  [/[·×∙⋅•]/g, "*"],
  [/[÷:∶⁄∕]/g, "/"],
  [/π/g, "pi"],
  [/½/g, "(1/2)"],
  [/¼/g, "(1/4)"],
  [/¾/g, "(3/4)"],
  [/\*\*/g, "^"],
  [/(?<=[\d.])\s*[xX]\s*(?=10\s*\^)/g, "*"],
  [/√\s*(\d+(?:[.,]\d+)?)/g, "sqrt($1)"],
  [/√/g, "sqrt"],
];
const TOKEN =
  /\s*(?:(\d[\d.,]*(?:[eE][+-]?\d+(?![\w.]))?|\.\d+(?:[eE][+-]?\d+(?![\w.]))?)|([A-Za-z]\w*)|([-+*/^()]))\s*/y;
const LOST_POWER = /^\d[\d.,]*\s*[*xX]\s*10\s*-\s*\d{1,2}$/;

/** @param {string} text */
function plain(text) {
  const low = text.replace(
    /[⁰¹²³⁴⁵⁶⁷⁸⁹⁻⁺]+/g,
    (run) => `^(${[...run].map((sign) => LOW[HIGH.indexOf(sign)]).join("")})`,
  );
  return SIGNS.reduce((found, [sign, other]) => found.replace(sign, other), low);
}

/**
 * Return the value of a number in an answer, NaN where it has two readings.
 * @param {string} text
 */
function number(text) {
  const digits = text.toLowerCase().split("e")[0];
  const twice = (digits.match(/[.,]/g) ?? []).length > 1;
  if (twice || /^[1-9]\d{0,2},\d{3}$/.test(digits) || /^[1-9]\d{0,2}\.\d\d0$/.test(digits)) return Number.NaN;
  return Number(text.replace(",", "."));
}

/**
 * Return the tokens of an answer, null if there is another sign in it.
 * @param {string} text
 */
function tokens(text) {
  const found = [];
  TOKEN.lastIndex = 0;
  while (TOKEN.lastIndex < text.length) {
    const match = TOKEN.exec(text);
    if (!match) return null;
    found.push(match[1] ?? match[2]?.toLowerCase() ?? match[3]);
  }
  return found;
}

/** Reader of a sum: products before sums, powers before signs, as in Python. */
class Reader {
  /** @param {string[]} parts */
  constructor(parts) {
    this.parts = parts;
    this.at = 0;
  }

  /** @param {string} sign */
  takes(sign) {
    const there = this.parts[this.at] === sign;
    if (there) this.at++;
    return there;
  }

  /** @returns {number} */
  sum() {
    let value = this.product();
    for (;;) {
      if (this.takes("+")) value += this.product();
      else if (this.takes("-")) value -= this.product();
      else return value;
    }
  }

  /** @returns {number} */
  product() {
    let value = this.signed();
    for (;;) {
      if (this.takes("*")) value *= this.signed();
      else if (this.takes("/")) value /= this.signed();
      else return value;
    }
  }

  /** @returns {number} */
  signed() {
    if (this.takes("-")) return -this.signed();
    if (this.takes("+")) return this.signed();
    const base = this.atom();
    return this.takes("^") ? base ** this.signed() : base;
  }

  /** @returns {number} */
  atom() {
    const part = this.parts[this.at++];
    if (part === "(") return this.closed();
    if (part === undefined) return Number.NaN;
    if (/^[\d.]/.test(part)) return number(part);
    if (Object.hasOwn(FUNCTIONS, part)) return this.takes("(") ? FUNCTIONS[part](this.closed()) : Number.NaN;
    return Object.hasOwn(NAMES, part) ? NAMES[part] : Number.NaN;
  }

  closed() {
    const value = this.sum();
    return this.takes(")") ? value : Number.NaN;
  }
}

/**
 * Return the value of an answer, null if it is not read or has no finite value.
 * @param {string} text
 */
export function compute(text) {
  if (text.length > 60) return null;
  const simple = plain(text);
  const parts = LOST_POWER.test(simple.trim()) ? null : tokens(simple);
  if (!parts?.length) return null;
  const reader = new Reader(parts);
  const value = reader.sum();
  return reader.at === parts.length && Number.isFinite(value) ? value : null;
}
