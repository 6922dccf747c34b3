import { createHmac } from 'node:crypto';
import { askProvider } from './ask-provider.js';
import type { ConfiguredProvider } from './configured-provider.js';
import { ProviderError } from './provider-error.js';
import type { SocialProfile } from './providers/social-profile.js';
import type { ProfileRequest } from './providers/social-provider.js';

/**
 * Reads a person's profile from a provider.
 * @throws {ProviderError}
 */
export async function requestProfile(
  provider: ConfiguredProvider,
  accessToken: string,
): Promise<SocialProfile> {
  const requests = provider.profileRequests(provider.scopes);
  const answers = await Promise.all(
    requests.map((request) =>
      request.at === 'profile'
        ? ask(provider, accessToken, provider.profileUrl, request)
        : askOrganizations(provider, accessToken, request),
    ),
  );
  const profile = provider.readProfile(answers);
  if (!profile) throw new ProviderError('malformed');
  return profile;
}

/** This answer is optional, because the profile already identifies the person. */
async function askOrganizations(
  provider: ConfiguredProvider,
  accessToken: string,
  request: ProfileRequest,
): Promise<unknown> {
  if (provider.organizationsUrl === undefined) return undefined;
  try {
    return await ask(provider, accessToken, provider.organizationsUrl, request);
  } catch (error) {
    if (error instanceof ProviderError) return undefined;
    throw error;
  }
}

async function ask(
  provider: ConfiguredProvider,
  accessToken: string,
  address: string,
  { path, query }: ProfileRequest,
): Promise<unknown> {
  const url = new URL(address);
  url.pathname += path;
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  if (provider.provesSecret) url.searchParams.set('appsecret_proof', proofOf(provider, accessToken));
  const headers = { authorization: `Bearer ${accessToken}` };
  const { isOk, json } = await askProvider({ method: 'GET', url, headers });
  if (!isOk) throw new ProviderError('refused', { code: 'profile' });
  return json;
}

/** Proves to the Graph API that a token's holder also knows the application's secret. */
function proofOf({ clientSecret }: ConfiguredProvider, accessToken: string): string {
  return createHmac('sha256', clientSecret).update(accessToken).digest('hex');
}
