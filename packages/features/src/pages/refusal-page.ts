import { escapeHtml, type Page } from '@gatehouse/http/pages/html-page';
import type { Failure } from '@gatehouse/http/server/request-failure';
import { visitorLocale } from '../core/accepted-locale.js';
import type { Context } from '../core/context.js';
import { problem } from './own-page.js';
import { pageWords } from './page-words.js';
import { pageProduct } from './product-page.js';

/** What a person sees in place of a page that is refused, or at an address that does not exist. Programs get JSON there. */
export function refusalPage(
  { ctx: { call, services } }: { readonly ctx: Context },
  { code, status, message }: Failure,
): Page {
  const { say, told, language } = pageWords(visitorLocale(call));
  const isUnknown = code === 'not_found';
  const id =
    status >= 500 ? `<p class="hint">${say('Request ID: {id}', { id: escapeHtml(call.requestId) })}</p>` : '';
  return {
    status,
    title: say(isUnknown ? 'Page not found' : 'This page cannot be shown'),
    body: `${isUnknown ? '' : problem(told(message))}<p><a href="/">${say('Go to the start page')}</a></p>${id}`,
    language,
    product: pageProduct(services.config),
  };
}
