import { z } from 'zod';
import type { SocialProfile } from './social-profile.js';
import { profileId, profileName, profilePicture } from './social-profile.js';
import { profileAt, type SocialProvider } from './social-provider.js';

export const tiktok = {
  key: 'tiktok',
  name: 'TikTok',
  providerId: 6,
  vouching: 'sends no address',
  authorizationUrl: 'https://www.tiktok.com/v2/auth/authorize/',
  tokenUrl: 'https://open.tiktokapis.com/v2/oauth/token/',
  profileUrl: 'https://open.tiktokapis.com/v2/user/info/',
  scopes: ['user.info.basic', 'video.upload', 'video.publish'],
  scopeSeparator: ',',
  usesPkce: false,
  clientIdParameter: 'client_key',
  clientAuthentication: 'body',
  provesSecret: false,
  renewalGrant: 'refresh_token',
  revocationCodes: ['invalid_grant'],
  profileRequests: () => [profileAt({ fields: 'open_id,avatar_url,display_name' })],
  readProfile: readTiktokProfile,
  // There is no published strategy for TikTok.
  loadStrategy: async () => (await import('passport-oauth2')).default,
} as const satisfies SocialProvider;

const answer = z.object({
  data: z.object({
    user: z.object({ open_id: profileId, display_name: profileName, avatar_url: profilePicture }),
  }),
  error: z.object({ code: z.literal('ok') }),
});

/** Reads `/v2/user/info/`, which reports errors with status 200 and never contains an address. */
function readTiktokProfile(answers: readonly unknown[]): SocialProfile | undefined {
  const parsed = answer.safeParse(answers[0]);
  if (!parsed.success) return undefined;
  const { open_id, display_name, avatar_url } = parsed.data.data.user;
  return {
    providerUserId: open_id,
    email: null,
    emailVerified: false,
    displayName: display_name,
    firstName: null,
    lastName: null,
    username: null,
    pictureUrl: avatar_url,
    accounts: {},
  };
}
