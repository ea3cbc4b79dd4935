// Plotly, loaded once for all figures of a tab.

/** @import { Plotly } from "./types.d.ts" */

/** @type {Promise<Plotly> | null} */
let loading = null;

/**
 * @param {string} url
 * @returns {Promise<Plotly>}
 */
export function loadPlotly(url) {
  loading ??= new Promise((resolve, reject) => {
    if (window.Plotly) return resolve(window.Plotly);
    const script = document.createElement("script");
    script.src = url;
    script.onload = () => (window.Plotly ? resolve(window.Plotly) : reject(new Error(`${url} holds no Plotly`)));
    script.onerror = () => {
      loading = null; // the next rerun tries again
      reject(new Error(`${url} could not be loaded`));
    };
    document.head.append(script);
  });
  return loading;
}
