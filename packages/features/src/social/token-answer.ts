import { z } from 'zod';
import { askProvider, ProviderError } from './ask-social-provider.js';
import type { ConfiguredProvider } from './configured-provider.js';

const MAX_TOKEN_LENGTH = 8192;
const MAX_LIFE_SECONDS = 10 * 366 * 86_400;

/** A provider's answer to a code or a refresh token. */
export interface ProviderTokens {
  readonly accessToken: string;
  readonly refreshToken: string | null;
  /** The life of the access token; null when it does not expire. */
  readonly expiresInSeconds: number | null;
  /** The granted scopes; null when the provider does not say. */
  readonly scopes: readonly string[] | null;
}

/** A token endpoint's answer: tokens, or a refusal with the provider's own code. */
type TokenAnswer =
  | { readonly outcome: 'tokens'; readonly tokens: ProviderTokens }
  | { readonly outcome: 'refused'; readonly code: string };

const seconds = z
  .union([
    z.number(),
    z
      .string()
      .regex(/^\d{1,10}$/)
      .transform(Number),
  ])
  .pipe(z.number().positive().max(MAX_LIFE_SECONDS))
  .transform(Math.floor)
  .nullish()
  .catch(null);

const tokens = z.object({
  access_token: z.string().min(1).max(MAX_TOKEN_LENGTH),
  refresh_token: z.string().min(1).max(MAX_TOKEN_LENGTH).nullish().catch(null),
  expires_in: seconds,
  scope: z.string().max(4000).nullish().catch(null),
});

/** RFC 6749, section 5.2, and the Graph API's form of errors. */
const refusal = z.object({
  error: z.union([
    z.string().min(1),
    z.object({ code: z.union([z.string(), z.number()]) }).transform(({ code }) => String(code)),
  ]),
});

/** The usual form of error codes. It is too narrow for a token that a provider puts there. */
const WELL_FORMED_CODE = /^(?:[a-z]{1,20}(?:_[a-z]{1,20}){0,4}|\d{1,6})$/;

/**
 * Reads the JSON of a token endpoint, whatever its status: some providers report errors with 200. Tokens that
 * are not text, and everything unknown, are a refusal with the code `malformed`.
 */
export function readTokenAnswer(json: unknown): TokenAnswer {
  const refused = refusal.safeParse(json);
  if (refused.success) {
    const { error } = refused.data;
    return { outcome: 'refused', code: WELL_FORMED_CODE.test(error) ? error : 'malformed' };
  }
  const given = tokens.safeParse(json);
  if (!given.success) return { outcome: 'refused', code: 'malformed' };
  const { access_token, refresh_token, expires_in, scope } = given.data;
  return {
    outcome: 'tokens',
    tokens: {
      accessToken: access_token,
      refreshToken: refresh_token ?? null,
      expiresInSeconds: expires_in ?? null,
      scopes: scope ? scope.split(/[\s,]+/).filter(Boolean) : null,
    },
  };
}

/** The parameters of a grant, without the client's own (RFC 6749, sections 4.1.3 and 6). */
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
