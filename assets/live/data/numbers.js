// Number formats of sentences and readouts. `ui/words/numbers.py` writes the same in Python: tests/js/numbers.json
// holds both to it.

const RAISED = "⁰¹²³⁴⁵⁶⁷⁸⁹";
const NOTHING = 1e-6; // in single precision an equal pair may differ by this much
const SPACE = "\u202f"; // a thin space that keeps the number on its line

/** @param {number} power */
export const raised = (power) =>
  (power < 0 ? "⁻" : "") + [...String(Math.abs(power))].map((digit) => RAISED[Number(digit)]).join("");

/**
 * Return a sentence whose numbers of per cent are not parted from their sign at the end of a line.
 * @param {string} text
 */
export const unparted = (text) => text.replace(/(\d) %/g, "$1\u00a0%");

/**
 * Put thin spaces between the thousands of a number, from five digits on.
 * @param {string} text
 */
export function spaced(text) {
  const [whole, part] = text.split(".");
  const wide = whole.length > 4 ? whole.replace(/\B(?=(\d{3})+$)/g, SPACE) : whole;
  return part === undefined ? wide : `${wide}.${part}`;
}

/**
 * Format to significant digits, without zeros at the end; very small and very large numbers with their power of ten.
 * @param {number} size not negative
 * @param {number} digits
 */
function significant(size, digits) {
  const rounded = Number(size.toPrecision(digits));
  if (rounded === 0 || (rounded >= 1e-3 && rounded < 1e7)) return spaced(String(rounded));
  const [lead, power] = rounded.toExponential().split("e");
  const ten = `10${raised(Number(power))}`;
  return lead === "1" ? ten : `${lead}·${ten}`;
}

/**
 * Say what a change costs, with one rule for signs: "costs 5.0 points", "gains 0.3 points".
 * @param {number} cost
 * @param {string} size
 * @param {string} unit
 * @param {string} [least] what a size is below that is rounded to nothing
 */
function priced(cost, size, unit, least = "") {
  if (cost === 0) return "changes nothing";
  return `${cost > 0 ? "costs" : "gains"} ${/[1-9]/.test(size) ? size : `less than ${least}`}${unit}`;
}

/**
 * Say a share as so many in 100; rounding makes it neither 0 nor 100.
 * @param {number} share
 */
function inHundred(share) {
  const rounded = (100 * share).toFixed(0);
  if (rounded === "100" && share < 1) return "more than 99 in 100";
  if (rounded === "0" && share > 0) return "fewer than 1 in 100";
  return `${rounded} in 100`;
}

/** Above it a share, rounded up to a tenth of a per cent, would be 100. */
export const CERTAIN = 0.999;

/**
 * Return the upper bound of a share in per cent, rounded up so that it holds.
 * @param {number} share
 */
export const most = (share) => Number((Math.ceil(1000 * share - 1e-9) / 10).toFixed(1));

/**
 * Say an upper bound of a belief as so many in 100, rounded up to a tenth.
 * @param {number} share
 */
function boundInHundred(share) {
  if (share > CERTAIN) return "practically certain";
  return `${most(share)} in 100`;
}

/**
 * Format a number without its sign.
 * @param {number} size
 * @param {string} kind
 * @param {number} digits
 */
function plain(size, kind, digits) {
  if (kind === "%") return `${size < 10 ? (100 * size).toFixed(digits) : significant(100 * size, 3)} %`;
  if (kind === "f") return spaced(size.toFixed(digits));
  if (kind === "d") return spaced(size.toFixed(0));
  return significant(size, digits || 3);
}

/**
 * Format a number: ".1%", "+.1%" (three digits from 1000 % on), ".2f", ".3g", "d", with a sign when asked for; "points": a change of a
 * share, less is a cost; "cost": a change of an error, more is a cost; "in 100": a share as so many of a hundred,
 * "hundredths": the same without words; "count answer": so many of what is named, "no answer", "20 answers";
 * "bound in 100": an upper bound of a belief; "about answer to 10000": so many of a number that is estimated and not
 * counted any further, "at least 10 000 answers"; "name the count|the mean": the name with this number; "enough for about answer to 10000": whether it is enough for so many.
 * @param {number} value
 * @returns {string}
 */
export function format(value, code = ".3g") {
  const [, enough] = /^enough for (.*)$/.exec(code) ?? [];
  if (enough) {
    if (value === 0) return `not enough for one ${enough.replace(/^about (.*) to \d+$/, "$1")}`;
    return `enough for ${format(value, enough)}`;
  }
  if (code.startsWith("name ")) return code.slice(5).split("|")[Math.round(value)] ?? "–";
  if (code === "bound in 100") return boundInHundred(value);
  if (code.startsWith("count ")) {
    const many = value === 0 ? "no" : format(value, "d");
    return `${many} ${code.slice(6)}${many === "no" || many === "1" ? "" : "s"}`;
  }
  const [, noun, most] = /^about (.*) to (\d+)$/.exec(code) ?? [];
  if (noun) {
    const before = value >= Number(most) ? "at least " : value > 1 ? "about " : "";
    return `${before}${format(value, `count ${noun}`)}`;
  }
  if (!Number.isFinite(value)) return Number.isNaN(value) ? "–" : value > 0 ? "∞" : "−∞";
  if (code === "points")
    return priced(Math.abs(value) > NOTHING ? -value : 0, Math.abs(100 * value).toFixed(1), " points", "0.1");
  if (code === "cost") return priced(value, significant(Math.abs(value), 2), "");
  if (code === "in 100") return inHundred(value);
  if (code === "hundredths") return (100 * value).toFixed(0);
  const [, plus, digits, kind] = /^(\+?)(?:\.(\d+))?([%fgd])$/.exec(code) ?? [];
  const text = plain(Math.abs(value), kind ?? "g", Number(digits ?? 0));
  if (!/[1-9]/.test(text)) return text;
  return value < 0 ? `−${text}` : plus ? `+${text}` : text;
}
