import { createHmac } from 'node:crypto';
import type { SocialProfile } from '../core/social-providers/social-profile.js';
import type { ProfileRequest } from '../core/social-providers/social-provider.js';
import { askProvider } from './ask-provider.js';
import type { ConfiguredProvider } from './configured-provider.js';
import { ProviderError } from './provider-error.js';

/**
 * Reads a person's profile from a provider.
 * @throws {ProviderError}
 */
export async function requestProfile(
  provider: ConfiguredProvider,
  accessToken: string,
): Promise<SocialProfile> {
  const requests = provider.profileRequests(provider.scopes);
  const answers = await Promise.all(requests.map((request) => askFor(provider, accessToken, request)));
  const profile = provider.readProfile(answers);
  if (!profile) throw new ProviderError('malformed');
  return profile;
}

/** The answer; undefined for a failure that the request may have, and at an address that is not known. */
async function askFor(
  provider: ConfiguredProvider,
  accessToken: string,
  request: ProfileRequest,
): Promise<unknown> {
  const address = request.at === 'profile' ? provider.profileUrl : provider.organizationsUrl;
  if (address === undefined) return undefined;
  try {
    return await ask(provider, accessToken, address, request);
  } catch (error) {
    if (!(error instanceof ProviderError)) throw error;
    const isExpected =
      request.mayFail === 'anyhow' || (request.mayFail === 'refused' && error.fault === 'refused');
    if (isExpected) return undefined;
    throw error;
  }
}

async function ask(
  provider: ConfiguredProvider,
  accessToken: string,
  address: string,
  { path, query, headers: own }: ProfileRequest,
): Promise<unknown> {
  const url = new URL(address);
  url.pathname += path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (provider.provesSecret) url.searchParams.set('appsecret_proof', proofOf(provider, accessToken));
  const headers = { authorization: `Bearer ${accessToken}`, ...own };
  const { isOk, json } = await askProvider({ method: 'GET', url, headers });
  if (!isOk) throw new ProviderError('refused', { code: 'profile' });
  return json;
}

/** Proves to the Graph API that a token's holder also knows the application's secret. */
function proofOf({ clientSecret }: ConfiguredProvider, accessToken: string): string {
  return createHmac('sha256', clientSecret).update(accessToken).digest('hex');
}
