import { z } from 'zod';
import { profileEmail, profileFlag, profileId, profileName, profilePicture } from './profile-text.js';
import type { SocialProfile } from './social-profile.js';

const user = z.object({
  id: profileId,
  login: profileName,
  name: profileName,
  avatar_url: profilePicture,
});

const address = z.object({ email: profileEmail, primary: profileFlag, verified: profileFlag });

const addresses = z.array(address.catch({ email: null, primary: false, verified: false })).catch([]);

/**
 * Reads `/user` and `/user/emails`. The address that a profile shows is chosen freely, so only the list counts: its
 * primary address, with what is said about that one.
 */
export function readGithubProfile(answers: readonly unknown[]): SocialProfile | undefined {
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
