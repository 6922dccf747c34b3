import { z } from 'zod';
import type { SocialProfile } from './social-profile.js';
import { profileEmail, profileId, profileName, profilePicture } from './social-profile.js';
import { profileAt, type SocialProvider } from './social-provider.js';

export const twitter = {
  key: 'twitter',
  name: 'X',
  providerId: 2,
  vouching: '`confirmed_email`, with the scope `users.email` only',
  authorizationUrl: 'https://x.com/i/oauth2/authorize',
  tokenUrl: 'https://api.x.com/2/oauth2/token',
  profileUrl: 'https://api.x.com/2/users/me',
  scopes: ['tweet.read', 'users.read', 'offline.access'],
  scopeSeparator: ' ',
  usesPkce: true,
  clientIdParameter: 'client_id',
  clientAuthentication: 'basic',
  provesSecret: false,
  renewalGrant: 'refresh_token',
  // X answers a used or revoked refresh token as an invalid request.
  revocationCodes: ['invalid_grant', 'invalid_request'],
  profileRequests: (scopes) => [
    profileAt({
      'user.fields': scopes.includes('users.email')
        ? 'profile_image_url,confirmed_email'
        : 'profile_image_url',
    }),
  ],
  readProfile: readTwitterProfile,
  loadStrategy: async () => (await import('passport-twitter-oauth2')).default.Strategy,
} as const satisfies SocialProvider;

const answer = z.object({
  data: z.object({
    id: profileId,
    name: profileName,
    username: profileName,
    profile_image_url: profilePicture,
    confirmed_email: profileEmail,
  }),
});

/** Reads `/2/users/me`. Only with the scope `users.email` it has an address, which X has confirmed. */
function readTwitterProfile(answers: readonly unknown[]): SocialProfile | undefined {
  const parsed = answer.safeParse(answers[0]);
  if (!parsed.success) return undefined;
  const { id, name, username, profile_image_url, confirmed_email } = parsed.data.data;
  return {
    providerUserId: id,
    email: confirmed_email,
    emailVerified: confirmed_email !== null,
    displayName: name,
    firstName: null,
    lastName: null,
    username,
    pictureUrl: profile_image_url,
    accounts: { twtAccounts: [{ id, name: username ?? name ?? id }] },
  };
}
