import { readUserInfo } from './read-user-info.js';
import type { SocialProfile } from './social-profile.js';

/** Reads the userinfo of LinkedIn, whose member is also the account that posts are made as. */
export function readLinkedinProfile(answers: readonly unknown[]): SocialProfile | undefined {
  const profile = readUserInfo(answers);
  if (!profile) return undefined;
  const { providerUserId, displayName } = profile;
  return {
    ...profile,
    accounts: {
      lnAccounts: [{ id: `urn:li:person:${providerUserId}`, name: displayName ?? providerUserId }],
    },
  };
}
