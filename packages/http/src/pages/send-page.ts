import type { ServerResponse } from 'node:http';
import { send } from '../rest/reply.js';
import { escapeHtml } from './escape-html.js';
import { moveToHost } from './move-to-host.js';
import { PAGE_STYLE, styleSource } from './page-style.js';

/** A page. `body` is HTML in which `escapeHtml` handled every value. */
export interface Page {
  readonly status?: number;
  readonly title: string;
  readonly body: string;
  /** Additional styles, besides those of all pages. */
  readonly style?: string;
  /** The path of one of our module scripts. The page also works without it. */
  readonly script?: string;
  /** The origin at which the page goes on, if it was opened at another host. */
  readonly movesTo?: string | undefined;
}

/** Sends one of our pages: one heading, plain HTML. */
export function sendPage(response: ServerResponse, page: Page): void {
  const { html, policy } = renderPage(page);
  response.setHeader('Content-Security-Policy', policy);
  // Without a referrer browsers send forms with `Origin: null`, as sandboxed pages of anybody do.
  response.setHeader('Referrer-Policy', 'same-origin');
  send(response, page.status ?? 200, 'text/html; charset=utf-8', html);
}

const SCRIPT_POLICY = [
  "script-src 'self'",
  "connect-src 'self'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'",
];

/**
 * A page and its Content-Security-Policy: only its script runs, nothing else is loaded, forms are sent only
 * to us, and framing is forbidden. The script may only call this service, and cannot turn text into markup or
 * code.
 */
export function renderPage({ title, body, style = '', script, movesTo }: Page): {
  html: string;
  policy: string;
} {
  const sheet = `${PAGE_STYLE}${style}`;
  const policy = [
    "default-src 'none'",
    `style-src ${styleSource(sheet)}`,
    ...(script === undefined && movesTo === undefined ? [] : SCRIPT_POLICY),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    ...(movesTo === undefined ? [] : [moveToHost(movesTo)]),
    `<title>${escapeHtml(title)}</title>`,
    `<style>${sheet}</style>`,
    ...(script === undefined ? [] : [`<script type="module" src="${escapeHtml(script)}"></script>`]),
    '</head>',
    '<body>',
    `<main><h1>${escapeHtml(title)}</h1>`,
    body,
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
  return { html, policy };
}
