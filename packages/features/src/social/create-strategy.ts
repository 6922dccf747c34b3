import type OAuth2Strategy from 'passport-oauth2';
import type { ConfiguredProvider } from './configured-provider.js';
import { requestProfile } from './request-profile.js';
import { requestTokens } from './request-tokens.js';

/** Our options for a strategy, besides passport's own. */
export interface FlowOptions {
  readonly state?: string;
  /** RFC 7636, the S256 form; absent when the provider does not support it. */
  readonly codeChallenge?: string | undefined;
  readonly codeVerifier?: string | undefined;
  /** Whether the tokens are stored, or only identify the person. */
  readonly isConnecting?: boolean;
}

type TokensDone = (error: unknown, accessToken?: string, refreshToken?: string, results?: unknown) => void;

/**
 * A provider's passport strategy. It uses our own HTTP client: the published one has no limit of time or size,
 * and a parse error in it would end the process.
 */
export async function createStrategy(
  provider: ConfiguredProvider,
  callbackUrl: string,
): Promise<OAuth2Strategy> {
  const Strategy = await provider.loadStrategy();
  const strategy = new Strategy(
    {
      clientID: provider.clientId,
      clientSecret: provider.clientSecret,
      callbackURL: callbackUrl,
      authorizationURL: provider.authorizationUrl,
      tokenURL: provider.tokenUrl,
      scope: [...provider.scopes],
      scopeSeparator: provider.scopeSeparator,
    },
    (_accessToken, _refreshToken, tokens, profile, done) => {
      done(null, { providerId: provider.providerId, profile, tokens });
    },
  );
  const published = strategy.authorizationParams.bind(strategy);
  return Object.assign(strategy, {
    _oauth2: Object.assign(strategy['_oauth2'], {
      getOAuthAccessToken(code: string, params: Readonly<Record<string, string>>, done: TokensDone) {
        requestTokens(provider, { ...params, grant_type: 'authorization_code', code })
          .then((tokens) => {
            done(null, tokens.accessToken, tokens.refreshToken ?? undefined, tokens);
          })
          .catch(done);
      },
    }),
    authorizationParams: (options: FlowOptions) => ({
      ...published(options),
      ...(provider.clientIdParameter === 'client_id'
        ? {}
        : { [provider.clientIdParameter]: provider.clientId }),
      ...(options.codeChallenge === undefined
        ? {}
        : { code_challenge: options.codeChallenge, code_challenge_method: 'S256' }),
    }),
    tokenParams: ({ codeVerifier }: FlowOptions) =>
      codeVerifier === undefined ? {} : { code_verifier: codeVerifier },
    userProfile(accessToken: string, done: (error: unknown, profile?: unknown) => void) {
      requestProfile(provider, accessToken)
        .then((profile) => {
          done(null, profile);
        })
        .catch(done);
    },
  });
}
