import type { IncomingMessage } from 'node:http';
import type { Limit } from '@gatehouse/runtime/limits/limit-store';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import type * as library from 'oidc-provider';
import type { default as OidcProvider } from 'oidc-provider';
import type { Services } from '../../core/context.js';
import { contextOf } from './provider-context.js';

const MINUTE_MS = 60_000;

/** So often an application may exchange something for tokens. */
const EXCHANGES = 600;

/** So many wrong secrets, codes and tokens may come from one address. */
const FAILURES = 20;

const LIMITED: ReadonlySet<string> = new Set([
  '/oauth/token',
  '/oauth/revoke',
  '/oauth/introspect',
  '/oauth/par',
]);

const exchangesOf = (clientId: string): Limit => ({
  key: `oauth-exchanges:${clientId}`,
  most: EXCHANGES,
  windowMs: MINUTE_MS,
});

function failuresOf(koa: { readonly req: IncomingMessage }): Limit {
  const { address } = contextOf(koa).call;
  return { key: `oauth-failures:address:${networkOf(address)}`, most: FAILURES, windowMs: MINUTE_MS };
}

/**
 * Limits exchanges of an application, and failures of an address. Only what succeeded counts against an application, so that others
 * who know its client id cannot use its limit up.
 */
export function limitProvider(
  provider: OidcProvider,
  { Provider, errors }: typeof library,
  { limits, log }: Pick<Services, 'limits' | 'log'>,
): void {
  provider.use(async (koa, next) => {
    const failures = LIMITED.has(koa.path) ? failuresOf(koa) : undefined;
    const waitMs = failures && (await limits.usedUpFor(failures));
    if (waitMs !== undefined) {
      koa.status = 429;
      koa.set('Retry-After', seconds(waitMs));
      koa.body = { error: 'temporarily_unavailable', error_description: 'too many failed requests' };
      return;
    }
    await next();
    if (failures !== undefined && (koa.status === 400 || koa.status === 401)) await limits.consume(failures);
  });
  const { Client } = provider;
  const find = Client.find.bind(Client);
  Client.find = async (clientId) => {
    const koa = Provider.ctx;
    const waitMs = koa?.oidc.route === 'token' ? await limits.usedUpFor(exchangesOf(clientId)) : undefined;
    if (waitMs === undefined) return find(clientId);
    koa?.set('Retry-After', seconds(waitMs));
    const refusal = new errors.TemporarilyUnavailable('too many exchanges of this application');
    throw Object.assign(refusal, { status: 429, statusCode: 429 });
  };
  provider.on('grant.success', (koa) => {
    const { clientId = '' } = koa.oidc.client ?? {};
    limits.consume(exchangesOf(clientId)).catch((error: unknown) => {
      log.failure('oauth', error, contextOf(koa).call.requestId);
    });
  });
}

const seconds = (waitMs: number) => String(Math.max(1, Math.ceil(waitMs / 1000)));
