import type { IncomingMessage } from 'node:http';
import { type Page, renderPage } from '@gatehouse/http/pages/html-page';
import type { KoaContextWithOIDC } from 'oidc-provider';
import type { Context } from '../../core/context.js';

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

/** Answers with one of our pages. */
export function showPage(koa: KoaContextWithOIDC, page: Page): void {
  const { html, policy } = renderPage(page);
  koa.type = 'html';
  koa.body = html;
  koa.set('Content-Security-Policy', policy);
  koa.set('Referrer-Policy', 'same-origin');
}
