import type { ServerResponse } from 'node:http';
import { send } from '../rest/reply.js';
import { escapeHtml } from './escape-html.js';
import { PAGE_STYLE, PAGE_STYLE_SOURCE } from './page-style.js';

/** A page: `body` is HTML whose every value went through `escapeHtml`. */
export interface Page {
  readonly status?: number;
  readonly title: string;
  readonly body: string;
}

/** Nothing is loaded, no script runs, forms lead back to us, and nobody may frame it. */
const POLICY = [
  "default-src 'none'",
  `style-src ${PAGE_STYLE_SOURCE}`,
  "form-action 'self'",
  "base-uri 'none'",
  "frame-ancestors 'none'",
].join('; ');

/** Sends a page of ours: one heading, plain HTML, no script. */
export function sendPage(response: ServerResponse, { status = 200, title, body }: Page): void {
  response.setHeader('Content-Security-Policy', POLICY);
  const html = [
    '<!doctype html>',
    '<html lang="en">',
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    `<title>${escapeHtml(title)}</title>`,
    `<style>${PAGE_STYLE}</style>`,
    '</head>',
    '<body>',
    `<main><h1>${escapeHtml(title)}</h1>`,
    body,
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
  send(response, status, 'text/html; charset=utf-8', html);
}
