import { createHash } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { ERRORS, type ErrorCode, parseUrl } from '@gatehouse/auth-core';
import { z } from 'zod';
import { send } from '../rest/reply.js';
import type { RawAbout, RawAnswer } from '../rest/route.js';
import type { Tag } from '../trpc/procedure-rule.js';

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
};

/** Escapes text for an HTML element or a quoted attribute. */
export function escapeHtml(text: string): string {
  return text.replaceAll(/[&<>"']/g, (character) => ENTITIES[character] ?? character);
}

/** It is served with the scripts of the documents. */
const MOVING_SCRIPT = '/docs/move-to-host.js';

/**
 * The origin of our public address, if a request names another host, where a browser would keep cookies that it does not send to
 * that address. Undefined for the same host: cookies ignore ports. A proxy may send its own host name here, so this is no reason
 * to redirect.
 */
export function otherHostThan(
  baseUrl: string,
  { headers: { host } }: Pick<IncomingMessage, 'headers'>,
): string | undefined {
  const called = host === undefined ? undefined : parseUrl(`http://${host}`);
  if (called === undefined) return undefined;
  const { hostname, origin } = new URL(baseUrl);
  return called.hostname === hostname ? undefined : origin;
}

/** The element of a page's head that moves the page to an origin, unless the browser is at its host already. */
export function moveToHost(origin: string): string {
  return `<script src="${MOVING_SCRIPT}" data-origin="${escapeHtml(origin)}"></script>`;
}

/** The style sheet of every page: the colors of the portal, light and dark, at any size, without web fonts. */
const PAGE_STYLE = `
:root{color-scheme:light dark;--accent:light-dark(oklch(.43 .085 215),oklch(.8 .09 205));--line:light-dark(oklch(.6 .02 230),oklch(.58 .02 230));--bad:light-dark(oklch(.49 .16 30),oklch(.76 .12 30))}
*{box-sizing:border-box}
body{margin:0;padding:2rem 1rem;font:1rem/1.5 system-ui,sans-serif;background:light-dark(oklch(.982 .006 95),oklch(.195 .014 230));color:light-dark(oklch(.26 .03 235),oklch(.94 .008 95))}
main{max-width:34rem;margin:0 auto;overflow-wrap:anywhere}
h1{font-size:1.75rem;line-height:1.2}
label{display:block;margin:1.25rem 0 .25rem;font-weight:600}
input,select,textarea{width:100%;padding:.6rem .75rem;font:inherit;color:inherit;background:light-dark(oklch(.998 .002 95),oklch(.228 .016 230));border:1px solid var(--line);border-radius:3px}
fieldset{margin:1.25rem 0 0;padding:0;border:0}
legend{padding:0;font-weight:600}
.check{display:flex;gap:.75rem;align-items:baseline;min-height:2rem;margin:.5rem 0;font-weight:400}
.check input{flex:none;width:1.125rem;height:1.125rem;margin:0;accent-color:var(--accent)}
button{margin-top:1.5rem;padding:.6rem 1.25rem;font:inherit;font-weight:600;border:0;border-radius:3px;background:var(--accent);color:light-dark(oklch(.99 .004 95),oklch(.2 .03 220));cursor:pointer}
button.quiet{border:1px solid var(--line);background:none;color:inherit}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
a{color:var(--accent)}
.hint{font-size:.9rem}
.bad{color:var(--bad);font-weight:600}
article{margin:1.5rem 0;padding:1rem;border:1px solid var(--line);border-radius:3px}
article h2{margin:0 0 .25rem;font-size:1.1rem}
pre{white-space:pre-wrap;overflow-wrap:anywhere;font:.95rem/1.45 ui-monospace,monospace}
`;

/** The frame of pages of a product: its name above a card, as on its screens. */
const FRAME_STYLE = `
:root{--card:light-dark(oklch(.998 .002 95),oklch(.228 .016 230));--rule:light-dark(oklch(.885 .012 95),oklch(.345 .02 230));--quiet:light-dark(oklch(.47 .025 235),oklch(.74 .014 95));--moss:light-dark(oklch(.47 .1 150),oklch(.79 .12 150))}
body{font-family:'Atkinson Hyperlegible Next','Atkinson Hyperlegible Next Variable',system-ui,sans-serif}
header,main{max-width:30rem;margin:0 auto}
header{display:flex;align-items:center;gap:.625rem;margin-bottom:1rem;padding:0 .25rem;font-weight:700;overflow-wrap:anywhere}
header svg{flex:none}
.lamp{fill:light-dark(oklch(.65 .14 68),oklch(.8 .14 78))}
main{padding:1.25rem 1rem;background:var(--card);border:1px solid var(--rule);border-radius:3px}
main>:last-child{margin-bottom:0}
h1{margin:0 0 1rem;font-size:1.5rem}
button{min-height:2.75rem}
.hint{color:var(--quiet)}
.actions{display:flex;flex-wrap:wrap;gap:.75rem;margin-top:1.5rem}
.actions button{flex:1 0 auto;margin:0;padding:.6rem .75rem}
.wants{margin:.5rem 0 1rem;padding:0;list-style:none}
.wants li{display:flex;gap:.625rem;margin:.375rem 0}
.wants li::before{flex:none;color:var(--moss);font-weight:700;content:"✓";content:"✓"/""}
@media (min-width:40rem){body{padding-top:4rem}main{padding:2rem}.actions button{flex:none;padding:.6rem 1.25rem}}
`;

const ACCENTS = { light: 'oklch(.43 .085 215)', dark: 'oklch(.8 .09 205)' };

const MARK =
  '<svg width="24" height="24" viewBox="0 0 24 24" aria-hidden="true"><path fill="currentColor" d="M2 1h20v22h-3V4H5v19H2z"/><path class="lamp" d="M10.5 11.5h3v5h-3z"/></svg>';

/** The product that a page is of. */
export interface PageProduct {
  readonly name: string;
  /** Whether our mark stands before the name. The logo of a brand would have to be loaded. */
  readonly hasMark: boolean;
  /** The accent colors of a brand, in the forms that its configuration accepts. */
  readonly accents?: { readonly light?: string | undefined; readonly dark?: string | undefined } | undefined;
}

function frameStyle({ accents }: PageProduct): string {
  const { light = ACCENTS.light, dark = ACCENTS.dark } = accents ?? {};
  return `${FRAME_STYLE}:root{--accent:light-dark(${light},${dark})}\n`;
}

function frameHead({ name, hasMark }: PageProduct): string {
  return `<header>${hasMark ? MARK : ''}<span>${escapeHtml(name)}</span></header>`;
}

/** A style sheet's hash for the Content-Security-Policy, so that no other style applies. */
export function styleSource(sheet: string): string {
  return `'sha256-${createHash('sha256').update(sheet).digest('base64')}'`;
}

/** A page. `body` is HTML in which `escapeHtml` handled every value. */
export interface Page {
  readonly status?: number;
  readonly title: string;
  readonly body: string;
  /** Additional styles, besides those of all pages. */
  readonly style?: string;
  /** Whether it shows others of our pages in frames. */
  readonly hasFrames?: boolean;
  /** The path of one of our module scripts. The page also works without it. */
  readonly script?: string;
  /** The product that it is of. Pages for developers are of none. */
  readonly product?: PageProduct;
  /** Its language; English by default. */
  readonly language?: string;
  /** The origin at which the page continues, if it was opened at another host. */
  readonly movesTo?: string | undefined;
}

/** Sends one of our pages: one heading, plain HTML. */
export function sendPage(response: ServerResponse, page: Page): void {
  const { html, policy } = renderPage(page);
  response.setHeader('Content-Security-Policy', policy);
  // Without a referrer browsers send forms with `Origin: null`, as anybody's sandboxed pages do.
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
export function renderPage({
  title,
  body,
  style = '',
  hasFrames = false,
  script,
  product,
  language = 'en',
  movesTo,
}: Page): {
  readonly html: string;
  readonly policy: string;
} {
  const sheet = `${PAGE_STYLE}${product === undefined ? '' : frameStyle(product)}${style}`;
  const policy = [
    "default-src 'none'",
    `style-src ${styleSource(sheet)}`,
    ...(script === undefined && movesTo === undefined ? [] : SCRIPT_POLICY),
    ...(hasFrames ? ["frame-src 'self'"] : []),
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ');
  const html = [
    '<!doctype html>',
    `<html lang="${language}">`,
    '<head>',
    '<meta charset="utf-8">',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<meta name="robots" content="noindex">',
    ...(movesTo === undefined ? [] : [moveToHost(movesTo)]),
    `<title>${escapeHtml(product === undefined ? title : `${title} · ${product.name}`)}</title>`,
    `<style>${sheet}</style>`,
    ...(script === undefined ? [] : [`<script type="module" src="${escapeHtml(script)}"></script>`]),
    '</head>',
    '<body>',
    ...(product === undefined ? [] : [frameHead(product)]),
    `<main><h1>${escapeHtml(title)}</h1>`,
    body,
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n');
  return { html, policy };
}

/**
 * The attributes of a field for an e-mail address. It is a field for text, because browsers refuse full-width letters in their
 * own fields for addresses and change what was typed; the service normalizes and checks it.
 */
export const ADDRESS_ATTRIBUTES = 'type="text" inputmode="email" autocapitalize="none" spellcheck="false"';

const html = { 'text/html': z.string() };

/** An answer that is a page. */
export function pageAnswer(description: string): RawAnswer {
  return { description, content: html };
}

function refusalPage(code: ErrorCode): RawAnswer {
  const isLimit = code === 'rate_limited' || code === 'unavailable';
  const headers = { 'Retry-After': 'Seconds until it is worth trying again.' };
  return { ...pageAnswer('The page, with the reason.'), ...(isLimit ? { headers } : {}) };
}

/**
 * The documents' description of one of our pages.
 * @param page `form` has its posted fields, `query` those of a link; `shows` are the refusals that the page
 * renders, `refuses` those sent in the error envelope
 */
export function pageAbout(page: {
  readonly tag: Tag;
  readonly description: string;
  readonly params?: RawAbout['params'];
  readonly query?: z.ZodObject;
  readonly form?: z.ZodObject;
  readonly shows?: readonly ErrorCode[];
  readonly refuses: readonly ErrorCode[];
}): RawAbout {
  const { tag, params, query, form, shows = [] } = page;
  const shown = shows.map((code) => [ERRORS[code].status, refusalPage(code)] as const);
  const ofForms: readonly ErrorCode[] = form
    ? ['origin_refused', 'invalid_input', 'payload_too_large', 'unsupported_media_type']
    : [];
  return {
    tag,
    ...(params ? { params } : {}),
    ...(query ? { query } : {}),
    ...(form
      ? { body: { types: ['application/x-www-form-urlencoded', 'application/json'], schema: form } }
      : {}),
    answers: { ...Object.fromEntries(shown), 200: pageAnswer(page.description) },
    refuses: [...page.refuses, ...ofForms],
  };
}
