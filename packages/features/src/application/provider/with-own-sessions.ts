import { createHmac } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { KoaContextWithOIDC, default as OidcProvider } from 'oidc-provider';
import type { Services } from '../../core/context.js';
import { readAmr } from '../../core/guard/authentication-methods.js';
import { endVisit } from './logout-page.js';
import { contextOf } from './provider-context.js';
import { authenticatedAtMs, findVisitor, sessionUid, type Visitor } from './visitor.js';

/**
 * The session of the provider is the one that the visitor's browser has with us; without one there is none, and none is begun. What the
 * library would store of it follows from it: the number by which each application knows it, and the grants. Only the secret of the
 * form that signs out is stored.
 */
export function withOwnSessions(
  provider: OidcProvider,
  { access, config }: Pick<Services, 'access' | 'config'>,
): void {
  const { Session } = provider;
  const withoutCookie = new WeakSet<IncomingMessage>();
  Session.get = async function get(koa: KoaContextWithOIDC) {
    const ctx = contextOf(koa);
    const visitor = await findVisitor(ctx, access);
    const session = new Session();
    // Only the cookie says who is signed in, not what one of our pages decided.
    session.loginAccount = () => undefined;
    session.resetIdentifier = () => undefined;
    koa.oidc.entity('Session', session);
    withoutCookie.add(koa.req);
    if (visitor === undefined) return session;
    const uid = sessionUid(visitor);
    const stored = koa.path.startsWith('/oauth/logout') ? await Session.adapter.find(uid) : undefined;
    Object.assign(session, stored, sessionFacts(visitor), { jti: uid, uid });
    const authorizations = new Map<string, { sid: string; grantId?: string }>();
    const authorizationFor = (clientId: string) => {
      const known = authorizations.get(clientId) ?? { sid: sidOf(config, { clientId, uid }) };
      authorizations.set(clientId, known);
      return known;
    };
    return Object.assign(session, {
      authorizationFor,
      async destroy() {
        await endVisit(ctx, koa, visitor);
        await Session.adapter.destroy(uid);
        // The library marks it through a proxy.
        Reflect.set(session, 'destroyed', true);
      },
    });
  };
  // The library compares this with the session in which an interaction began. Our pages read who is signed in now.
  Session.findByUid = (uid) => {
    const [, accountId = ''] = uid.split('.');
    return Promise.resolve(Object.assign(new Session(), { uid, accountId }));
  };
  provider.use(async (koa, next) => {
    await next();
    if (!withoutCookie.has(koa.req)) return;
    if (!koa.res.hasHeader('Set-Cookie')) return;
    const lines = [koa.response.get('Set-Cookie')].flat();
    koa.remove('Set-Cookie');
    const kept = lines.filter((line) => !line.startsWith(provider.cookieName('session')));
    if (kept.length > 0) koa.set('Set-Cookie', kept);
  });
}

/** The id by which an application knows a session. */
export function sidOf(
  { SESSION_SECRET }: Services['config'],
  named: { readonly clientId: string; readonly uid: string },
): string {
  return createHmac('sha256', SESSION_SECRET)
    .update(`oauth-sid:${named.uid}:${named.clientId}`)
    .digest('base64url');
}

/** A visitor's session in the terms of the provider. */
export function sessionFacts({ memberId, session }: Visitor) {
  const { amr, level } = session;
  return {
    accountId: String(memberId),
    loginTs: Math.floor(authenticatedAtMs(session) / 1000),
    amr: readAmr(amr),
    acr: String(level),
  };
}
