import { askProvider } from './ask-provider.js';
import type { ConfiguredProvider } from './configured-provider.js';
import { ProviderError } from './provider-error.js';
import { type ProviderTokens, readTokenAnswer } from './token-answer.js';

/** The parameters of a grant, besides the client's own (RFC 6749, sections 4.1.3 and 6). */
export type GrantParameters = Readonly<Record<string, string>> & { readonly grant_type: string };

/**
 * Requests tokens from a provider's token endpoint, with the provider's client authentication.
 * @throws {ProviderError}
 */
export async function requestTokens(
  provider: ConfiguredProvider,
  grant: GrantParameters,
): Promise<ProviderTokens> {
  const { clientId, clientSecret, clientIdParameter, clientAuthentication, tokenUrl } = provider;
  const form = new URLSearchParams({ ...grant, [clientIdParameter]: clientId });
  if (clientAuthentication === 'body') form.set('client_secret', clientSecret);
  const headers = clientAuthentication === 'basic' ? { authorization: basic(clientId, clientSecret) } : {};
  const { json } = await askProvider({ method: 'POST', url: new URL(tokenUrl), headers, form });
  const answer = readTokenAnswer(json);
  if (answer.outcome === 'tokens') return answer.tokens;
  if (answer.code === 'malformed') throw new ProviderError('malformed');
  throw new ProviderError('refused', { code: answer.code });
}

/** RFC 6749, section 2.3.1: both parts are form-encoded before they are joined. */
function basic(clientId: string, clientSecret: string): string {
  const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
  return `Basic ${Buffer.from(pair).toString('base64')}`;
}
