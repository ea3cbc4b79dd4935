// Decision regions of a nearest-prototype classifier, computed for every frame in the browser.

/**
 * Label the cells of a raster by their nearest centre: argmin |z - c|² + r².
 * centres: (P, 3) flat; toX(i), toY(j): data coordinates of column i and row j.
 */
export function nearest(centres, labels, width, height, toX, toY, out) {
  const n = labels.length;
  const cx = new Float32Array(n);
  const cy = new Float32Array(n);
  const c0 = new Float32Array(n);
  const stride = centres.length / n;
  for (let p = 0; p < n; p++) {
    cx[p] = -2 * centres[p * stride];
    cy[p] = -2 * centres[p * stride + 1];
    const rest = stride > 2 ? centres[p * stride + 2] : 0;
    c0[p] = (cx[p] * cx[p] + cy[p] * cy[p]) / 4 + rest;
  }
  const row = new Float32Array(n);
  for (let j = 0; j < height; j++) {
    const y = toY(j);
    for (let p = 0; p < n; p++) row[p] = c0[p] + cy[p] * y;
    for (let i = 0; i < width; i++) {
      const x = toX(i);
      let best = Infinity;
      let at = 0;
      for (let p = 0; p < n; p++) {
        const d = row[p] + cx[p] * x;
        if (d < best) {
          best = d;
          at = p;
        }
      }
      out[j * width + i] = labels[at];
    }
  }
  return out;
}

const rgb = (hex) => {
  const n = parseInt(hex.slice(1), 16);
  return [n >> 16, (n >> 8) & 255, n & 255];
};

const raster = { canvas: null, image: null, labels: null };

/** Paint regions (fill) or only their edges (edge colour) and return the canvas that holds them. */
export function paint(labels, width, height, palette, fill, edge) {
  if (!raster.canvas) raster.canvas = document.createElement("canvas");
  const { canvas } = raster;
  if (canvas.width !== width || canvas.height !== height || !raster.image) {
    canvas.width = width;
    canvas.height = height;
    raster.image = canvas.getContext("2d").createImageData(width, height);
  }
  const pixels = new Uint32Array(raster.image.data.buffer);
  const colours = palette.map((hex) => {
    const [r, g, b] = rgb(hex);
    return (Math.round(255 * fill) << 24) | (b << 16) | (g << 8) | r;
  });
  const [er, eg, eb] = rgb(edge.colour);
  const line = (Math.round(255 * edge.alpha) << 24) | (eb << 16) | (eg << 8) | er;
  for (let j = 0; j < height; j++) {
    for (let i = 0; i < width; i++) {
      const k = j * width + i;
      const here = labels[k];
      const border = (i + 1 < width && labels[k + 1] !== here) || (j + 1 < height && labels[k + width] !== here);
      pixels[k] = border ? line : fill > 0 ? colours[here % colours.length] : 0;
    }
  }
  canvas.getContext("2d").putImageData(raster.image, 0, 0);
  return canvas;
}

/** A label buffer large enough, kept between frames. */
export function labelBuffer(size) {
  if (!raster.labels || raster.labels.length < size) raster.labels = new Uint8Array(size);
  return raster.labels;
}
