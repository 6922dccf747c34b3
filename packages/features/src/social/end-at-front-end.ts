import type { RawExchange } from '@gatehouse/http/rest/route';
import { toFailure } from '@gatehouse/http/server/request-failure';
import type { Context } from '../core/context.js';
import type { ConfiguredProvider } from './configured-provider.js';
import { frontEndUrl } from './front-end-url.js';
import { redirect } from './redirect.js';

/**
 * Redirects a browser to the result of `visit` or, on a failure, to the front end with the reason. People on
 * their way between two sites never see an answer for programs.
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
