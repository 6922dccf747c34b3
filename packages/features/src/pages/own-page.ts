import type { IncomingMessage } from 'node:http';
import { AppError, type ErrorCode, type InputIssue } from '@gatehouse/auth-core';
import { escapeHtml, otherHostThan, type Page } from '@gatehouse/http/pages/html-page';
import { bodyFields } from '@gatehouse/http/rest/request-body';
import type { RawExchange } from '@gatehouse/http/rest/route';
import { toFailure } from '@gatehouse/http/server/request-failure';
import { visitorLocale } from '../core/accepted-locale.js';
import type { Context } from '../core/context.js';
import { type PageWords, pageWords } from './page-words.js';
import { sendProductPage } from './product-page.js';

/** The input of a page: a link's query, or a form's fields. */
export type PageFields = Readonly<Record<string, string>>;

/** The reason of a refusal, in words that can be shown. Those about fields are in English. */
export interface Refusal {
  readonly code: ErrorCode;
  readonly status: number;
  readonly message: string;
  readonly issues: readonly InputIssue[];
}

/** Leads browsers with scripts to the screen of the portal that does the same. */
const TO_THE_PORTAL = '/portal/forward.js';

/**
 * One of our own pages. They exist only while APP_URL is our own address; otherwise mails link to the front
 * end. While there is a portal, they are the way without scripts.
 * @param show renders the page; `refused` renders its AppErrors, any other error is a fault
 */
export function ownPage(
  show: (exchange: RawExchange<Context>, fields: PageFields, words: PageWords) => Promise<Page>,
  refused: (refusal: Refusal, fields: PageFields, words: PageWords) => Page,
): (exchange: RawExchange<Context>) => Promise<void> {
  return async (exchange) => {
    const { ctx, request, response, query } = exchange;
    const { APP_URL, BASE_URL } = ctx.services.config;
    if (APP_URL !== BASE_URL) throw new AppError('not_found');
    if (request.method === 'POST') requireOwnForm(request, new URL(BASE_URL).origin);
    const given: Record<string, unknown> =
      request.method === 'POST'
        ? await bodyFields(request, response, { form: true })
        : Object.fromEntries(query);
    const fields = Object.fromEntries(
      Object.entries(given).flatMap(([name, value]) => (typeof value === 'string' ? [[name, value]] : [])),
    );
    const isVisit = request.method !== 'POST';
    const words = pageWords(visitorLocale(ctx.call));
    const lead = {
      language: words.language,
      ...(isVisit && ctx.services.servesPortal ? { script: TO_THE_PORTAL } : {}),
      ...(isVisit ? { movesTo: otherHostThan(BASE_URL, request) } : {}),
    };
    try {
      sendProductPage(ctx, response, { ...(await show(exchange, fields, words)), ...lead });
    } catch (error) {
      const failure = toFailure(error);
      if (failure.code === 'internal') throw error;
      if (!failure.isForeseen) ctx.services.log.failure('page', error, ctx.call.requestId);
      const { code, status, message, issues = [], retryAfterSeconds } = failure;
      if (retryAfterSeconds !== undefined) response.setHeader('Retry-After', retryAfterSeconds);
      const refusal = { code, status, message: words.told(message), issues };
      sendProductPage(ctx, response, { ...refused(refusal, fields, words), ...lead, status });
    }
  };
}

/**
 * Refuses the form of another site, which could sign a visitor in as somebody else. Browsers say where a form comes from (W3C
 * Fetch Metadata); those that do not, such as on pages without TLS, still send an `Origin` (RFC 6454), which is `null` for
 * sandboxed and local pages. Programs that send neither are not browsers.
 * @throws {AppError} `origin_refused`
 */
export function requireOwnForm({ headers }: IncomingMessage, ownOrigin: string): void {
  const { origin = ownOrigin, 'sec-fetch-site': site = 'none' } = headers;
  const isOurs = site === 'same-origin' || (site === 'none' && origin === ownOrigin);
  if (!isOurs) throw new AppError('origin_refused');
}

/** The error message, announced to screen readers. */
export function problem(...messages: readonly string[]): string {
  const lines = messages.map((message) => `<p class="bad">${escapeHtml(message)}</p>`);
  return `<div role="alert" id="problem">${lines.join('')}</div>\n`;
}
