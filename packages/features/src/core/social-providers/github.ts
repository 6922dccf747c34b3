import { z } from 'zod';
import type { SocialProfile } from './social-profile.js';
import { profileEmail, profileFlag, profileId, profileName, profilePicture } from './social-profile.js';
import { profileAt, type SocialProvider } from './social-provider.js';

export const github = {
  key: 'github',
  name: 'GitHub',
  providerId: 5,
  vouching: 'the primary address of `/user/emails`; never the one on the profile',
  authorizationUrl: 'https://github.com/login/oauth/authorize',
  tokenUrl: 'https://github.com/login/oauth/access_token',
  profileUrl: 'https://api.github.com/user',
  scopes: ['user:email'],
  scopeSeparator: ' ',
  usesPkce: true,
  clientIdParameter: 'client_id',
  clientAuthentication: 'body',
  provesSecret: false,
  renewalGrant: 'refresh_token',
  revocationCodes: ['bad_refresh_token', 'invalid_grant'],
  // GitHub Apps without the permission for addresses are refused the list.
  profileRequests: () => [profileAt({}), { ...profileAt({}, '/emails'), mayFail: 'refused' }],
  readProfile: readGithubProfile,
  loadStrategy: async () => (await import('passport-github2')).default.Strategy,
} as const satisfies SocialProvider;

const user = z.object({
  id: profileId,
  login: profileName,
  name: profileName,
  avatar_url: profilePicture,
});

const address = z.object({ email: profileEmail, primary: profileFlag, verified: profileFlag });
const addresses = z.array(address.catch({ email: null, primary: false, verified: false })).catch([]);

/**
 * Reads `/user` and `/user/emails`. A profile's address is freely chosen, so only the list's primary address is used, with its
 * own verification. Without the list there is no address.
 */
function readGithubProfile(answers: readonly unknown[]): SocialProfile | undefined {
  const parsed = user.safeParse(answers[0]);
  if (!parsed.success) return undefined;
  const { id, login, name, avatar_url } = parsed.data;
  const primary = addresses.parse(answers[1]).find((each) => each.primary && each.email !== null);
  return {
    providerUserId: id,
    email: primary?.email ?? null,
    emailVerified: primary?.verified ?? false,
    displayName: name ?? login,
    firstName: null,
    lastName: null,
    username: login,
    pictureUrl: avatar_url,
    accounts: {},
  };
}
