// Files that are compressed as such, whatever the web server says of them: those of the static site.

const ENDING = ".packed";

/**
 * Return the content of a stream of gzip.
 * @param {ReadableStream<Uint8Array<ArrayBuffer>>} stream
 */
export const unzipped = (stream) => new Response(stream.pipeThrough(new DecompressionStream("gzip")));

/**
 * Return the content of an answer, unpacked where its file is compressed.
 * @param {Response} answer
 * @param {string} url
 */
export function content(answer, url) {
  if (!url.endsWith(ENDING) || !answer.body) return answer;
  return unzipped(answer.body);
}

/**
 * Fetch a compressed file of JSON.
 * @param {URL} url
 */
export async function unpackedJson(url) {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url.pathname}: ${answer.status}`);
  return content(answer, url.pathname).json();
}
