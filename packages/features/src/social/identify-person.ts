import type { Services } from '../core/context.js';
import type { ConfiguredProvider } from './configured-provider.js';
import type { FlowOptions } from './create-strategy.js';
import { readIdentity } from './identity-payload.js';
import type { ProvenIdentity } from './proven-identity.js';
import { ProviderError } from './provider-error.js';
import { runStrategy } from './run-strategy.js';

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
  const outcome = await within(DEADLINE_MS, runStrategy(config, provider, { code }, options));
  const identity = 'user' in outcome ? readIdentity(outcome.user) : undefined;
  if (!identity) throw new ProviderError('malformed');
  return identity;
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
