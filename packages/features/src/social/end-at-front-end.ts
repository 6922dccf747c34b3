import type { RawExchange } from '@gatehouse/http/rest/route';
import { toFailure } from '@gatehouse/http/server/errors';
import type { Context } from '../app/context.js';
import type { ConfiguredProvider } from './configured-provider.js';
import { frontEndUrl } from './front-end-url.js';
import { redirect } from './redirect.js';

/**
 * Redirects a browser to where `visit` resolves to; where that fails, to the front end with the reason. Nobody who is
 * sent to and fro between two sites is left with an answer that only programs understand.
 */
export async function endAtFrontEnd(
  { response, ctx }: RawExchange<Context>,
  provider: ConfiguredProvider,
  visit: () => Promise<string>,
): Promise<void> {
  const { config, log } = ctx.services;
  try {
    redirect(response, await visit());
  } catch (error) {
    const { code, isForeseen } = toFailure(error);
    if (!isForeseen || code === 'provider_failed') {
      log.failure(`social ${provider.key}`, error, ctx.call.requestId);
    }
    const { requestId, address } = ctx.call;
    log.security({ event: 'login.failed', requestId, address, reason: code });
    redirect(response, frontEndUrl(config, { error: code }));
  }
}
