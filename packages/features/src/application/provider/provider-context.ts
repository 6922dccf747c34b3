import type { IncomingMessage } from 'node:http';
import type { Locale } from '@gatehouse/db/tables/member-tables';
import { escapeHtml, type Page, renderPage } from '@gatehouse/http/pages/html-page';
import type { KoaContextWithOIDC } from 'oidc-provider';
import { visitorLocale } from '../../core/accepted-locale.js';
import type { Context } from '../../core/context.js';
import { pageProduct } from '../../pages/product-page.js';

const contexts = new WeakMap<IncomingMessage, Context>();

/** Keeps the context of a request that the provider answers. */
export function rememberContext(request: IncomingMessage, ctx: Context): void {
  contexts.set(request, ctx);
}

/** The context of a request that the provider answers. */
export function contextOf({ req }: { readonly req: IncomingMessage }): Context {
  const ctx = contexts.get(req);
  if (ctx === undefined) throw new Error('The provider answers a request that is not ours');
  return ctx;
}

/** The language of the pages for a visitor of the provider. */
export const koaLocale = (koa: KoaContextWithOIDC): Locale =>
  visitorLocale({ header: (name) => koa.get(name) });

/** Answers with one of our pages. */
export function showPage(koa: KoaContextWithOIDC, page: Page): void {
  const product = pageProduct(contextOf(koa).services.config);
  const { html, policy } = renderPage({ ...page, product });
  koa.type = 'html';
  koa.body = html;
  koa.set('Content-Security-Policy', policy);
  koa.set('Referrer-Policy', 'same-origin');
}

const LEADING = { en: ['Going on', 'Continue'], de: ['Es geht weiter', 'Weiter'] } as const;

/** A page that continues to an address by itself, and by a link. */
export function leadingPage(to: string, language: Locale): Page {
  const [title, link] = LEADING[language];
  return { title, language, body: `<p><a href="${escapeHtml(to)}">${link}</a></p>` };
}

/** Answers with a page that continues to an address. */
export function leadOn(koa: KoaContextWithOIDC, to: string): void {
  koa.status = 200;
  koa.remove('Location');
  koa.set('Refresh', `0;url=${to}`);
  showPage(koa, leadingPage(to, koaLocale(koa)));
}
