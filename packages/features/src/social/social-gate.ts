import passport, { type StrategyRequest } from 'passport';
import type { Services } from '../app/services.js';
import { findConfiguredProvider } from './configured-provider.js';
import { createStrategy, type FlowOptions } from './create-strategy.js';
import { readIdentity } from './identity-payload.js';
import { mainUrl } from './main-url.js';
import type { ProvenIdentity } from './proven-identity.js';
import { ProviderError } from './provider-error.js';
import type { SocialProvider } from './providers/social-provider.js';

/** The total time limit for identifying a person, in milliseconds. */
const DEADLINE_MS = 9_000;

/** Passport over the providers of one deployment. */
export interface SocialGate {
  /** The address of a provider's consent page. */
  authorizationUrl(provider: SocialProvider, options: FlowOptions & { state: string }): Promise<string>;
  /**
   * Exchanges a code for tokens and a profile.
   * @throws {ProviderError} within ten seconds, whatever the provider does
   */
  identify(provider: SocialProvider, code: string, options: FlowOptions): Promise<ProvenIdentity>;
}

export function createSocialGate(config: Services['config']): SocialGate {
  const authenticator = new passport.Passport();
  const ready = new Map<string, Promise<void>>();

  /** Loads a provider's strategy on first use. */
  function prepare(provider: SocialProvider): Promise<void> {
    const { key } = provider;
    const known = ready.get(key);
    if (known) return known;
    const loading = load(provider);
    ready.set(key, loading);
    // A strategy that failed to load is loaded again at the next visit.
    loading.catch(() => ready.delete(key));
    return loading;
  }

  async function load(known: SocialProvider): Promise<void> {
    const provider = findConfiguredProvider(config, known);
    if (!provider) return;
    const { key } = provider;
    authenticator.use(key, await createStrategy(provider, `${mainUrl(config)}/social/${key}/callback`));
  }

  return {
    async authorizationUrl(provider, options) {
      const outcome = await run(provider, {}, options);
      if (!('location' in outcome)) throw new Error('A strategy did not redirect');
      const url = new URL(outcome.location);
      if (provider.clientIdParameter !== 'client_id') url.searchParams.delete('client_id');
      return url.href;
    },
    async identify(provider, code, options) {
      const outcome = await within(DEADLINE_MS, run(provider, { code }, options));
      const identity = 'user' in outcome ? readIdentity(outcome.user) : undefined;
      if (!identity) throw new ProviderError('malformed');
      return identity;
    },
  };

  /** One run of a strategy, which sees only the given query of the request. */
  async function run(
    provider: SocialProvider,
    query: StrategyRequest['query'],
    options: FlowOptions,
  ): Promise<{ location: string } | { user: unknown }> {
    await prepare(provider);
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
      const answer = authenticator.authenticate(
        provider.key,
        {
          session: false,
          accessType: 'offline',
          ...(options.isConnecting ? { prompt: 'consent' } : {}),
          ...options,
        },
        (error, user) => {
          if (error === null || error === undefined) resolve({ user });
          else reject(asError(error));
        },
      );
      answer({ query }, response, (error) => {
        reject(asError(error));
      });
    });
  }
}

/** passport-oauth2 wraps the errors of its client. */
function asError(thrown: unknown): ProviderError {
  const reported = thrown instanceof Error && 'oauthError' in thrown ? thrown.oauthError : thrown;
  return reported instanceof ProviderError ? reported : new ProviderError('malformed', { cause: thrown });
}

async function within<Value>(ms: number, work: Promise<Value>): Promise<Value> {
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
