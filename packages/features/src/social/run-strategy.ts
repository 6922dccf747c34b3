import passport from 'passport';
import type OAuth2Strategy from 'passport-oauth2';
import type { Services } from '../core/context.js';
import { ProviderError, requestProfile } from './ask-social-provider.js';
import { type ConfiguredProvider, mainUrl } from './configured-provider.js';
import { type ProvenIdentity, readIdentity } from './proven-identity.js';
import { requestTokens } from './token-answer.js';

/** Our options for a strategy, in addition to those of passport. */
interface FlowOptions {
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
async function createStrategy(provider: ConfiguredProvider, callbackUrl: string): Promise<OAuth2Strategy> {
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

/** What Passport makes, as far as redirecting strategies use a request and a response. */
type Middleware = (
  request: { readonly query: Readonly<Record<string, string>> },
  response: { statusCode: number; setHeader(name: string, value: string): void; end(): void },
  next: (error?: unknown) => void,
) => void;

/** The redirect of a strategy, or the person it identified. */
type StrategyOutcome = { readonly location: string } | { readonly user: unknown };

/**
 * One run of a provider's strategy by Passport. The strategy sees only the given query of the request.
 * @throws {ProviderError}
 */
async function runStrategy(
  config: Services['config'],
  provider: ConfiguredProvider,
  query: Readonly<Record<string, string>>,
  options: FlowOptions,
): Promise<StrategyOutcome> {
  const { key } = provider;
  const strategy = await createStrategy(provider, `${mainUrl(config)}/social/${key}/callback`);
  const authenticator = new passport.Passport().use(key, strategy);
  return new Promise((resolve, reject) => {
    let location: string | undefined;
    const response = {
      statusCode: 200,
      setHeader(name: string, value: string) {
        if (name === 'Location') location = value;
      },
      end() {
        if (location === undefined) reject(new Error('A strategy answered without redirecting'));
        else resolve({ location });
      },
    };
    const flow = {
      session: false,
      accessType: 'offline',
      ...(options.isConnecting ? { prompt: 'consent' } : {}),
      ...options,
    };
    // oxlint-disable-next-line typescript/no-unsafe-assignment -- Passport makes a middleware of this form, which it types as any
    const answer: Middleware = authenticator.authenticate(key, flow, (error: unknown, user: unknown) => {
      if (error === null || error === undefined) resolve({ user });
      else reject(asError(error));
    });
    answer({ query }, response, (error) => {
      reject(asError(error));
    });
  });
}

/** passport-oauth2 wraps the errors of its client. */
function asError(thrown: unknown): ProviderError {
  const reported = thrown instanceof Error && 'oauthError' in thrown ? thrown.oauthError : thrown;
  return reported instanceof ProviderError ? reported : new ProviderError('malformed', { cause: thrown });
}

/** The address of a provider's consent page. */
export async function authorizationUrl(
  config: Services['config'],
  provider: ConfiguredProvider,
  options: FlowOptions & { readonly state: string },
): Promise<string> {
  const outcome = await runStrategy(config, provider, {}, options);
  if (!('location' in outcome)) throw new Error('A strategy did not redirect');
  const url = new URL(outcome.location);
  if (provider.clientIdParameter !== 'client_id') url.searchParams.delete('client_id');
  return url.href;
}

/** The total time limit for identifying a person, in milliseconds. */
const DEADLINE_MS = 9_000;

/**
 * Exchanges a code for tokens and a profile.
 * @throws {ProviderError} within ten seconds, whatever the provider does
 */
export async function identifyPerson(
  config: Services['config'],
  provider: ConfiguredProvider,
  code: string,
  options: FlowOptions,
): Promise<ProvenIdentity> {
  const outcome = await withTimeout(DEADLINE_MS, runStrategy(config, provider, { code }, options));
  const identity = 'user' in outcome ? readIdentity(outcome.user) : undefined;
  if (!identity) throw new ProviderError('malformed');
  return identity;
}

async function withTimeout<Value>(ms: number, work: Promise<Value>): Promise<Value> {
  let timer: NodeJS.Timeout | undefined;
  const deadline = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => {
      reject(new ProviderError('unreachable'));
    }, ms);
  });
  try {
    return await Promise.race([work, deadline]);
  } finally {
    clearTimeout(timer);
  }
}
