import type { IncomingMessage, ServerResponse } from 'node:http';
import { brotliCompressSync, gzipSync } from 'node:zlib';
import { AppError } from '@gatehouse/auth-core';
import { moveToHost, otherHostThan, sendPage } from '../pages/html-page.js';
import { etagOf, readWebFiles, sendWebFile, type WebFile } from './web-files.js';

/**
 * A document with data for its scripts, as the text of an element with this id. Data blocks never run (HTML, section 4.12.1), so
 * no policy on scripts concerns them.
 */
function withData(file: WebFile, id: string, data: unknown): WebFile {
  // No text in it can end the element.
  const json = JSON.stringify(data).replaceAll('<', '\\u003c');
  const block = `<script type="application/json" id="${id}">${json}</script></head>`;
  return changed(file, (html) => html.replace('</head>', () => block));
}

/** A document with an element that is first in its head. */
function withHead(file: WebFile, element: string): WebFile {
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

/** Built pages below a prefix of a deployment's paths. */
export interface WebApp {
  /** Such as `/portal`. */
  readonly prefix: string;
  /** Whether there is a build to serve. */
  readonly isBuilt: boolean;
  /**
   * Answers a path below the prefix.
   * @throws {AppError} `not_found` or `method_not_allowed`
   */
  answer(request: IncomingMessage, response: ServerResponse): void;
}

/**
 * Serves the files of a build, read once. `/portal/sign-in` is `sign-in.html`; paths without a file get the document of the app,
 * which shows its screens by itself; those with a dot name a missing file.
 * @param folder its URL ends in a slash
 * @param home the app's document; absent while there is none
 * @param own files that the configuration adds, by their names; they take precedence over those of the build
 * @param data the data that documents contain for their scripts, by the id of the element that has it
 * @param baseUrl the public address of the service, to which its documents move from other hosts
 */
export function createWebApp({
  prefix,
  folder,
  home = 'home.html',
  own = new Map(),
  data = {},
  baseUrl,
}: {
  readonly prefix: string;
  readonly folder: URL;
  readonly home?: string;
  readonly own?: ReadonlyMap<string, WebFile>;
  readonly data?: Readonly<Record<string, unknown>>;
  readonly baseUrl: string;
}): WebApp {
  const built = readWebFiles(folder);
  const files = built && new Map([...built, ...own]);
  const documents = new Map<WebFile, WebFile>();
  const moving = new Map<WebFile, WebFile>();

  function find(path: string): WebFile | undefined {
    const name = path.toLowerCase();
    if (files?.has(path)) return files.get(path);
    if (name.includes('.')) return files?.get(name);
    return files?.get(`${name}.html`) ?? files?.get(home);
  }

  /** Made and compressed at the first request for it. */
  function filled(document: WebFile): WebFile {
    const made = documents.get(document) ?? withAllData(document, data);
    documents.set(document, made);
    return made;
  }

  function moved(document: WebFile, origin: string): WebFile {
    const made = moving.get(document) ?? withHead(document, moveToHost(origin));
    moving.set(document, made);
    return made;
  }

  return {
    prefix,
    isBuilt: files !== undefined,
    answer(request, response) {
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        throw new AppError('method_not_allowed');
      }
      if (files === undefined) {
        sendPage(response, {
          status: 404,
          title: 'These pages are not built',
          body: '<p>Run pnpm build.</p>',
        });
        return;
      }
      const { pathname } = new URL(request.url ?? '/', 'http://localhost');
      const file = find(pathname.slice(prefix.length).replace(/^\/|\/$/g, ''));
      if (file === undefined) throw new AppError('not_found');
      const origin = otherHostThan(baseUrl, request);
      const shown = file.isDocument ? filled(file) : file;
      sendWebFile(request, response, file.isDocument && origin !== undefined ? moved(shown, origin) : shown);
    },
  };
}

function withAllData(document: WebFile, data: Readonly<Record<string, unknown>>): WebFile {
  return Object.entries(data).reduce((before, [id, value]) => withData(before, id, value), document);
}

/** Whether a path is the prefix or below it, in any case. */
export function isBelow(prefix: string, url: string): boolean {
  const start = url.slice(0, prefix.length + 1).toLowerCase();
  return start.startsWith(prefix) && /^(?:|[/?])$/.test(start.slice(prefix.length));
}
