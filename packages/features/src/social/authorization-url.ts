import type { Services } from '../core/context.js';
import type { ConfiguredProvider } from './configured-provider.js';
import type { FlowOptions } from './create-strategy.js';
import { runStrategy } from './run-strategy.js';

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
