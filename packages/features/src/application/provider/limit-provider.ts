import type { IncomingMessage } from 'node:http';
import type { Limit } from '@gatehouse/runtime/limits/limit-store';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import type * as library from 'oidc-provider';
import type { Client, KoaContextWithOIDC, default as OidcProvider } from 'oidc-provider';
import type { Services } from '../../core/context.js';
import { contextOf } from './provider-context.js';

const MINUTE_MS = 60_000;

/** How often an application may exchange something for tokens. */
const EXCHANGES = 600;

/** The maximum number of wrong secrets from one address. */
const FAILURES = 20;

const INTROSPECTION = '/oauth/introspect';

const LIMITED: ReadonlySet<string> = new Set(['/oauth/token', '/oauth/revoke', INTROSPECTION, '/oauth/par']);

type Koa = { readonly req: IncomingMessage };

const networkAt = (koa: Koa) => networkOf(contextOf(koa).call.address);

const limit = (key: string, most: number): Limit => ({ key, most, windowMs: MINUTE_MS });

/** How often an address may fail to prove who it is. */
export const failuresOf = (koa: Koa) => limit(`oauth-failures:address:${networkAt(koa)}`, FAILURES);

/** Everybody who knows the client id can be an application without a secret, so each address has limits of its own. */
function askerOf(koa: Koa, { clientId, clientAuthMethod }: Client): string {
  return clientAuthMethod === 'none' ? `${clientId}:address:${networkAt(koa)}` : clientId;
}

const exchangesOf = (koa: Koa, client: Client) => limit(`oauth-exchanges:${askerOf(koa, client)}`, EXCHANGES);

/**
 * Limits exchanges and introspections of an application, and wrong secrets from an address. Only successful requests count toward
 * an application's limit, so that others cannot use it up; and requests of an application with the right secret are not failures
 * of its address.
 */
export function limitProvider(
  provider: OidcProvider,
  { Provider, errors }: typeof library,
  { keyUse, limits, log }: Pick<Services, 'keyUse' | 'limits' | 'log'>,
): void {
  provider.use(async (koa: KoaContextWithOIDC, next) => {
    if (!LIMITED.has(koa.path)) {
      await next();
      return;
    }
    const failures = failuresOf(koa);
    const refuse = (waitMs: number) => {
      koa.status = 429;
      koa.set('Retry-After', seconds(waitMs));
      koa.body = { error: 'temporarily_unavailable', error_description: 'too many failed requests' };
    };
    // Introspection is called so often that only a wrong secret costs a look at the count.
    const isFrequent = koa.path === INTROSPECTION;
    const waitMs = isFrequent ? undefined : await limits.usedUpFor(failures);
    if (waitMs !== undefined) return refuse(waitMs);
    await next();
    // The application has proven who it is by now. Above the limit its answer is replaced by a refusal.
    if (isFrequent && koa.status === 200 && koa.oidc.client !== undefined) {
      const refusal = keyUse.countIntrospection(askerOf(koa, koa.oidc.client));
      if (refusal) throw refusal;
    }
    if (koa.status !== 401) return;
    const failed = await limits.consume(failures);
    if (isFrequent && !failed.isAllowed) refuse(failed.endsInMs);
  });
  const { Client } = provider;
  const find = Client.find.bind(Client);
  Client.find = async (clientId) => {
    const client = await find(clientId);
    const koa = Provider.ctx;
    if (client === undefined || koa?.oidc.route !== 'token') return client;
    const waitMs = await limits.usedUpFor(exchangesOf(koa, client));
    if (waitMs === undefined) return client;
    koa.set('Retry-After', seconds(waitMs));
    const refusal = new errors.TemporarilyUnavailable('too many exchanges of this application');
    throw Object.assign(refusal, { status: 429, statusCode: 429 });
  };
  provider.on('grant.success', (koa) => {
    if (koa.oidc.client === undefined) return;
    limits.consume(exchangesOf(koa, koa.oidc.client)).catch((error: unknown) => {
      log.failure('oauth', error, contextOf(koa).call.requestId);
    });
  });
}

const seconds = (waitMs: number) => String(Math.max(1, Math.ceil(waitMs / 1000)));
