import passport from 'passport';
import type { Services } from '../core/context.js';
import type { ConfiguredProvider } from './configured-provider.js';
import { createStrategy, type FlowOptions } from './create-strategy.js';
import { mainUrl } from './main-url.js';
import { ProviderError } from './provider-error.js';

/** What Passport makes, as far as redirecting strategies use a request and a response. */
type Middleware = (
  request: { readonly query: Readonly<Record<string, string>> },
  response: { statusCode: number; setHeader(name: string, value: string): void; end(): void },
  next: (error?: unknown) => void,
) => void;

/** The redirect of a strategy, or the person it identified. */
export type StrategyOutcome = { readonly location: string } | { readonly user: unknown };

/**
 * One run of a provider's strategy by Passport. The strategy sees only the given query of the request.
 * @throws {ProviderError}
 */
export async function runStrategy(
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
