// Requests of a phone: JSON in small requests, and one stream of events back. No DOM.

/** An error with a sentence of the server, or of the network. */
export class Refusal extends Error {
  /**
   * @param {string} sentence
   * @param {number} status 0: nothing arrived
   * @param {string} [box] where the server holds the answer that this phone has given before
   */
  constructor(sentence, status, box = "") {
    super(sentence);
    this.status = status;
    this.box = box;
  }
}

/**
 * Return whether the same request may succeed later: the network or the server was away, or the room full.
 * @param {unknown} error
 */
export const passes = (error) => error instanceof Refusal && (error.status === 0 || error.status >= 500);

/**
 * Send an object; return the answer.
 * @param {string} path
 * @param {Record<string, unknown>} body
 * @param {typeof fetch} ask
 * @returns {Promise<any>}
 */
export async function send(path, body, ask = fetch) {
  let found;
  try {
    const headers = { "content-type": "application/json" };
    found = await ask(path, { method: "POST", headers, body: JSON.stringify(body), credentials: "omit" });
  } catch {
    throw new Refusal("The network did not carry it. Try again.", 0);
  }
  const told = await found.json().catch(() => ({}));
  if (!found.ok) throw new Refusal(told.refused ?? "The server cannot answer now. Try again.", found.status, told.box);
  return told;
}

/**
 * Listen to a room until it is closed. A broken connection is opened again by the browser, or here where a proxy has
 * answered instead of the server.
 * @param {string} path
 * @param {(news: any) => void} told
 * @param {() => void} lost called when somebody else than the server has answered, or the server refused
 * @param {{ Source?: typeof EventSource, later?: (again: () => void) => unknown }} [parts]
 */
export function listen(path, told, lost, { Source = EventSource, later = soon } = {}) {
  const source = new Source(path);
  source.onmessage = ({ data }) => {
    const news = JSON.parse(data);
    if (news.phase === "closed") source.close();
    told(news);
  };
  source.onerror = () => {
    if (source.readyState !== 2) return;
    lost();
    later(() => listen(path, told, lost, { Source, later }));
  };
}

/**
 * Call a function after a random delay, so that the phones of a class do not ask at the same moment.
 * @param {() => void} again
 */
export const soon = (again) => setTimeout(again, 2000 + 3000 * Math.random());
