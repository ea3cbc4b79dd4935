// A GIF is decoded again by a reader of the format, and compared with the pictures that went in.

import assert from "node:assert/strict";
import test from "node:test";
import { Gif, paletteOf } from "../../../assets/live/frame/gif.js";

/** Read bytes of LZW with codes that begin with `least` bits. */
function expanded(bytes, least) {
  const [clear, end] = [1 << least, (1 << least) + 1];
  let [at, bits, held, wide] = [0, 0, 0, least + 1];
  const read = () => {
    for (; held < wide; held += 8) bits |= bytes[at++] << held;
    const code = bits & ((1 << wide) - 1);
    bits >>>= wide;
    held -= wide;
    return code;
  };
  let table = [];
  let before = null;
  const out = [];
  for (;;) {
    const code = read();
    if (code === end) return out;
    if (code === clear) {
      table = Array.from({ length: end + 1 }, (_, k) => [k]);
      wide = least + 1;
      before = null;
      continue;
    }
    const entry = table[code] ?? [...before, before[0]];
    assert.ok(code <= table.length, "no code is used before it is known");
    for (const one of entry) out.push(one);
    if (before && table.length < 4096) table.push([...before, entry[0]]);
    if (table.length === 1 << wide && wide < 12) wide += 1;
    before = entry;
  }
}

/** Return size, delays and pixels of all pictures of a GIF. */
function read(bytes) {
  const word = (at) => bytes[at] | (bytes[at + 1] << 8);
  assert.equal(String.fromCharCode(...bytes.slice(0, 6)), "GIF89a");
  const [width, height] = [word(6), word(8)];
  const palette = bytes.slice(13, 13 + 768);
  let at = 13 + 768;
  const blocks = () => {
    const found = [];
    for (; bytes[at]; at += bytes[at] + 1) found.push(...bytes.slice(at + 1, at + 1 + bytes[at]));
    at += 1;
    return found;
  };
  const screen = new Uint8Array(3 * width * height);
  const [pictures, delays] = [[], []];
  for (;;) {
    const kind = bytes[at++];
    if (kind === 0x3b) break;
    if (kind === 0x21) {
      if (bytes[at++] === 0xf9) delays.push(10 * word(at + 2));
      blocks();
      continue;
    }
    assert.equal(kind, 0x2c);
    const [left, top, w, h] = [word(at), word(at + 2), word(at + 4), word(at + 6)];
    assert.ok(left + w <= width && top + h <= height);
    const least = bytes[at + 9];
    at += 10;
    const places = expanded(blocks(), least);
    assert.equal(places.length, w * h);
    places.forEach((place, k) => {
      const pixel = (top + Math.floor(k / w)) * width + left + (k % w);
      screen.set(palette.slice(3 * place, 3 * place + 3), 3 * pixel);
    });
    pictures.push(screen.slice());
  }
  assert.equal(at, bytes.length);
  return { width, height, pictures, delays };
}

/** A picture of made-up pixels. */
function picture(width, height, colour) {
  const data = new Uint8ClampedArray(4 * width * height);
  for (let k = 0; k < width * height; k++) data.set([...colour(k % width, Math.floor(k / width)), 255], 4 * k);
  return { width, height, data };
}

const bare = ({ data }) => Uint8Array.from(data.filter((_, at) => at % 4 < 3));

async function written(pictures, delay = 80) {
  const { width, height } = pictures[0];
  const gif = new Gif(width, height, paletteOf(pictures));
  for (const one of pictures) gif.add(one, delay);
  return read(new Uint8Array(await gif.end().arrayBuffer()));
}

/** Numbers without a pattern, the same at every run. */
function* chance(state = 1) {
  for (;;) {
    state = (state * 48271) % 2147483647;
    yield state;
  }
}

test("pictures of few colours come back exactly, each with its time", async () => {
  const dot = (at) => picture(40, 30, (x, y) => (Math.hypot(x - at, y - 15) < 5 ? [80, 70, 230] : [255, 255, 255]));
  const pictures = [5, 12, 19, 26, 33].map(dot);
  const found = await written(pictures, 120);
  assert.deepEqual([found.width, found.height], [40, 30]);
  assert.deepEqual(found.delays, [120, 120, 120, 120, 120]);
  found.pictures.forEach((one, k) => {
    assert.deepEqual(one, bare(pictures[k]));
  });
});

test("noise of 256 colours fills the table of codes and comes back exactly", async () => {
  const draws = chance();
  const noise = () =>
    picture(200, 150, () => {
      const value = draws.next().value % 256;
      return [value & 0xf8, (value << 5) & 0xf8, 0];
    });
  const pictures = [noise(), noise()];
  const found = await written(pictures);
  found.pictures.forEach((one, k) => {
    assert.deepEqual(one, bare(pictures[k]));
  });
});

test("every length of a picture ends well: also where the codes have just become longer", async () => {
  const draws = chance(7);
  for (let width = 1; width < 700; width += width < 520 ? 23 : 1) {
    const one = picture(width, 1, () => [(draws.next().value % 32) * 8, 0, 0]);
    const found = await written([one]);
    assert.deepEqual(found.pictures[0], bare(one), `${width} pixels`);
  }
});

test("a picture that does not change is kept, and more than 256 colours become near ones", async () => {
  const smooth = picture(64, 64, (x, y) => [4 * x, 4 * y, 128]);
  const found = await written([smooth, smooth]);
  assert.equal(found.pictures.length, 2);
  assert.deepEqual(found.pictures[0], found.pictures[1]);
  const wanted = bare(smooth);
  const far = Math.max(...found.pictures[0].map((value, at) => Math.abs(value - wanted[at])));
  assert.ok(far <= 72, `a channel is off by ${far}`);
});
