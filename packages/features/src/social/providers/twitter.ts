import { z } from 'zod';
import { profileEmail, profileId, profileName, profilePicture } from './profile-text.js';
import type { SocialProfile } from './social-profile.js';

const answer = z.object({
  data: z.object({
    id: profileId,
    name: profileName,
    username: profileName,
    profile_image_url: profilePicture,
    confirmed_email: profileEmail,
  }),
});

/** Reads `/2/users/me`, which tells an address only where `users.email` was asked for, and then a confirmed one. */
export function readTwitterProfile(answers: readonly unknown[]): SocialProfile | undefined {
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
