import { z } from 'zod';
import { profileId, profileName } from './profile-text.js';
import { readUserInfo } from './read-user-info.js';
import type { SocialAccount, SocialProfile } from './social-profile.js';

const role = z
  .object({
    organization: profileId.refine((urn) => urn.startsWith('urn:li:organization:')),
    state: z.literal('APPROVED'),
    'organization~': z.object({ localizedName: profileName }).nullish().catch(null),
  })
  .nullable()
  .catch(null);

const roles = z.object({ elements: z.array(role).catch([]) }).catch({ elements: [] });

/**
 * Reads the userinfo of LinkedIn, whose member is an account that posts are made as, and beside it the organisations in
 * which the member has a role.
 */
export function readLinkedinProfile(answers: readonly unknown[]): SocialProfile | undefined {
  const profile = readUserInfo(answers);
  if (!profile) return undefined;
  const { providerUserId, displayName } = profile;
  const person = { id: `urn:li:person:${providerUserId}`, name: displayName ?? providerUserId };
  return { ...profile, accounts: { lnAccounts: [person, ...organizationsIn(answers[1])] } };
}

/** Each organisation once, however many roles somebody has in it. */
function organizationsIn(answer: unknown): SocialAccount[] {
  const found = roles.parse(answer).elements.flatMap((each) => {
    if (each === null) return [];
    const { organization: id, 'organization~': named } = each;
    return [{ id, name: named?.localizedName ?? id }];
  });
  return [...new Map(found.map((account) => [account.id, account])).values()];
}
