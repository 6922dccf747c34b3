import { sha256Hex } from '@gatehouse/auth-core';
import { networkOf } from '@gatehouse/runtime/network/client-address';
import type * as library from 'oidc-provider';
import type { KoaContextWithOIDC, default as OidcProvider } from 'oidc-provider';
import type { Services } from '../../core/context.js';
import { contextOf } from './provider-context.js';

/** How an application gets tokens for a device (RFC 8628, section 3.4). */
export const DEVICE_GRANT = 'urn:ietf:params:oauth:grant-type:device_code';

/** How long devices wait between two requests, in seconds, which is the default of RFC 8628 (section 3.2). */
const INTERVAL_SECONDS = 5;

/** Clocks and networks may shorten the wait of a device by a second. */
const SHORTEST_MS = (INTERVAL_SECONDS - 1) * 1000;

const QUARTER_HOUR_MS = 15 * 60_000;

/** What is kept of the request of a device: whether the person has to sign in anew, which the library turns `max_age=0` into. */
export function deviceFacts({ oidc }: KoaContextWithOIDC) {
  return { signInAnew: oidc.prompts.has('login') };
}

/** Tells devices that ask too often to slow down, and strangers who begin too many sign-ins to wait. */
export function withDeviceCodes(
  provider: OidcProvider,
  { Provider, errors }: typeof library,
  { config, limits }: Pick<Services, 'config' | 'limits'>,
): void {
  const { DeviceCode } = provider;
  const find: unknown = Reflect.get(DeviceCode, 'find');
  Reflect.set(DeviceCode, 'find', async (...given: readonly unknown[]) => {
    const code: unknown =
      typeof find === 'function' ? await Reflect.apply(find, DeviceCode, given) : undefined;
    const client = Provider.ctx?.oidc.client;
    if (!(code instanceof DeviceCode) || code.clientId !== client?.clientId || code.isExpired) return code;
    const key = `oauth-device:${sha256Hex(code.jti)}`;
    const { isAllowed } = await limits.consume({ key, most: 1, windowMs: SHORTEST_MS });
    if (!isAllowed) throw new errors.SlowDown();
    return code;
  });
  provider.use(async (koa, next) => {
    if (koa.path !== '/oauth/device') {
      await next();
      return;
    }
    const key = `oauth-device:address:${networkOf(contextOf(koa).call.address)}`;
    const most = config.FLOWS_PER_ADDRESS;
    const taken = await limits.consume({ key, most, windowMs: QUARTER_HOUR_MS });
    if (!taken.isAllowed) {
      koa.status = 429;
      koa.set('Retry-After', String(Math.max(1, Math.ceil(taken.endsInMs / 1000))));
      koa.body = { error: 'temporarily_unavailable', error_description: 'too many devices of this address' };
      return;
    }
    await next();
  });
  provider.on('device_authorization.success', (_, answer: object) => {
    Object.assign(answer, { interval: INTERVAL_SECONDS });
  });
}
