import { existsSync } from 'node:fs';
import { AppError } from '@gatehouse/auth-core';
import { isLocalDeveloper } from '@gatehouse/runtime/mail/create-mail-driver';
import { sendPage } from '../pages/html-page.js';
import { headerText } from '../server/request-headers.js';
import type { WebApp } from './web-app.js';
import { readWebFiles, sendWebFile } from './web-files.js';

/**
 * The Content-Security-Policy of the documents: only scripts of this service, none of them inline. The colors of code are in
 * attributes, and the search makes markup from the index.
 */
const SITE_POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "style-src-attr 'unsafe-inline'",
  "img-src 'self' data:",
  "font-src 'self'",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

/**
 * The documents of a development start, for a person at this machine. `/dev/docs/events` is `events.html`.
 * @param prefix the path for which they are built
 * @param folder their build; its URL ends in a slash
 */
export function createDocumentSite(prefix: string, folder: URL): WebApp {
  return {
    prefix,
    isBuilt: existsSync(folder),
    answer(request, response) {
      const caller = {
        address: (request.socket.remoteAddress ?? '').replace(/^::ffff:/, ''),
        header: (name: string) => headerText(request.headers[name]),
      };
      if (!isLocalDeveloper({ NODE_ENV: 'development' }, caller)) throw new AppError('not_found');
      if (request.method !== 'GET' && request.method !== 'HEAD') {
        response.setHeader('Allow', 'GET, HEAD');
        throw new AppError('method_not_allowed');
      }
      // Few starts need them, and they may be built after the start.
      const files = readWebFiles(folder);
      if (files === undefined) {
        sendPage(response, {
          status: 404,
          title: 'The documents are not built',
          body: '<p>Run <code>npx --yes pnpm@10 docs:site</code>, and load this page again.</p>',
        });
        return;
      }
      const path = new URL(request.url ?? '/', 'http://localhost').pathname.slice(prefix.length);
      if (path === '') {
        // Links of the start page are relative to the folder.
        response.statusCode = 302;
        response.setHeader('Location', `${prefix}/`);
        response.end();
        return;
      }
      const name = path.slice(1) || 'index';
      const file = files.get(name) ?? files.get(`${name}.html`);
      if (file === undefined) throw new AppError('not_found');
      sendWebFile(request, response, file, SITE_POLICY);
    },
  };
}
