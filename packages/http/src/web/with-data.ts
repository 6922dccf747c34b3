import { brotliCompressSync, gzipSync } from 'node:zlib';
import { etagOf, type WebFile } from './read-web-files.js';

/**
 * A document with data for its scripts, as the text of an element with this id. Data blocks never run (HTML, section 4.12.1), so
 * no policy on scripts concerns them.
 */
export function withData(file: WebFile, id: string, data: unknown): WebFile {
  // No text in it can end the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const block = `<script type="application/json" id="${id}">${json}</script></head>`;
  return changed(file, (html) => html.replace('</head>', () => block));
}

/** A document with an element that is first in its head. */
export function withHead(file: WebFile, element: string): WebFile {
  return changed(file, (html) => html.replace(/<head[^>]*>/, (head) => head + element));
}

function changed(file: WebFile, change: (html: string) => string): WebFile {
  const identity = Buffer.from(change(file.identity.toString('utf8')));
  return {
    ...file,
    etag: etagOf(identity),
    identity,
    br: brotliCompressSync(identity),
    gzip: gzipSync(identity),
  };
}
