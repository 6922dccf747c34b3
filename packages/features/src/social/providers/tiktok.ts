import { z } from 'zod';
import { profileId, profileName, profilePicture } from './profile-text.js';
import type { SocialProfile } from './social-profile.js';

const answer = z.object({
  data: z.object({
    user: z.object({ open_id: profileId, display_name: profileName, avatar_url: profilePicture }),
  }),
  error: z.object({ code: z.literal('ok') }),
});

/** Reads `/v2/user/info/`, which reports errors inside an answer of status 200 and never tells an address. */
export function readTiktokProfile(answers: readonly unknown[]): SocialProfile | undefined {
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
