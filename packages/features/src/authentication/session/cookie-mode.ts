import { randomToken, sha256Hex } from '@gatehouse/auth-core';
import type { CookieKind, SessionCookieKind } from '@gatehouse/http/server/http-call';
import type { Context } from '../../core/context.js';

/** Whether a client signs in for a session in a cookie. The guard has checked that its page may use one. */
export function isCookieMode({ call, services }: Context): boolean {
  return services.cookies.isAsked(call);
}

/** Puts a session token into a cookie of the answer. */
export function keepInCookie(
  ctx: Context,
  kind: SessionCookieKind,
  { token, expiresAtMs }: { readonly token: string; readonly expiresAtMs: number },
): void {
  const { cookies, now } = ctx.services;
  const line = cookies.keep(kind, token, (expiresAtMs - now()) / 1000);
  ctx.call.facts.cookies = { ...ctx.call.facts.cookies, [kind]: line };
}

/** Removes a session cookie, or another cookie of a sign-in. */
export function forgetCookie(ctx: Context, kind: CookieKind): void {
  ctx.call.facts.cookies = { [kind]: ctx.services.cookies.forget(kind), ...ctx.call.facts.cookies };
}

/** Removes the account that a front end's server keeps selected for the member who was signed in. */
export function forgetSelectedAccount(ctx: Context): void {
  if (ctx.services.cookies.read('account', ctx.call.header('cookie')) !== undefined)
    forgetCookie(ctx, 'account');
}

/** Binds a second step to this browser by a cookie; the digest of its value, null outside cookie mode. */
export function bindStep(ctx: Context, lifeMs: number): string | null {
  if (!isCookieMode(ctx)) return null;
  const value = randomToken();
  const step = ctx.services.cookies.keep('step', value, lifeMs / 1000);
  ctx.call.facts.cookies = { ...ctx.call.facts.cookies, step };
  return sha256Hex(value);
}

/** The digest of the cookie that a second step is bound to; null outside cookie mode. */
export function boundStep(ctx: Context): string | null {
  if (!isCookieMode(ctx)) return null;
  return sha256Hex(ctx.services.cookies.read('step', ctx.call.header('cookie')) ?? '');
}

/** Removes the cookie that brought the session of a call, and the account selected for it. */
export function forgetSession(ctx: Context): void {
  const { byCookie } = ctx.call.facts;
  if (byCookie === undefined) return;
  forgetCookie(ctx, byCookie);
  if (byCookie === 'session') forgetSelectedAccount(ctx);
}
