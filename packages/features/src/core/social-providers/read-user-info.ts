import { z } from 'zod';
import { profileEmail, profileFlag, profileId, profileName, profilePicture } from './profile-text.js';
import type { SocialProfile } from './social-profile.js';

const userInfo = z.object({
  sub: profileId,
  name: profileName,
  given_name: profileName,
  family_name: profileName,
  picture: profilePicture,
  email: profileEmail,
  email_verified: profileFlag,
});

/** Reads the standard claims of OpenID Connect Core 1.0, section 5.1, from Google and LinkedIn. */
export function readUserInfo(answers: readonly unknown[]): SocialProfile | undefined {
  const parsed = userInfo.safeParse(answers[0]);
  if (!parsed.success) return undefined;
  const { sub, name, given_name, family_name, picture, email, email_verified } = parsed.data;
  return {
    providerUserId: sub,
    email,
    emailVerified: email !== null && email_verified,
    displayName: name,
    firstName: given_name,
    lastName: family_name,
    username: null,
    pictureUrl: picture,
    accounts: {},
  };
}
