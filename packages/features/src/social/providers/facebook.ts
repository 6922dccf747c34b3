import { z } from 'zod';
import { profileEmail, profileId, profileName, profilePicture } from './profile-text.js';
import type { SocialAccount, SocialProfile } from './social-profile.js';

const instagram = z.object({ id: profileId, username: profileName }).nullish().catch(null);

const page = z.object({ id: profileId, name: profileName, instagram_business_account: instagram });

const profile = z.object({
  id: profileId,
  name: profileName,
  first_name: profileName,
  last_name: profileName,
  email: profileEmail,
  picture: z
    .object({ data: z.object({ url: profilePicture }) })
    .nullish()
    .catch(null),
  accounts: z
    .object({ data: z.array(page) })
    .nullish()
    .catch(null),
});

/** Reads `/me`. Facebook does not say whether an address is verified, so none counts as that. */
export function readFacebookProfile(answers: readonly unknown[]): SocialProfile | undefined {
  const parsed = profile.safeParse(answers[0]);
  if (!parsed.success) return undefined;
  const { id, name, first_name, last_name, email, picture, accounts } = parsed.data;
  const pages = accounts?.data ?? [];
  return {
    providerUserId: id,
    email,
    emailVerified: false,
    displayName: name,
    firstName: first_name,
    lastName: last_name,
    username: null,
    pictureUrl: picture?.data.url ?? null,
    accounts: {
      fbAccounts: [
        { id, name: name ?? id },
        ...pages.map((each) => ({ id: each.id, name: each.name ?? each.id })),
      ],
      igAccounts: pages.flatMap((each) => instagramOf(each)),
    },
  };
}

function instagramOf({ instagram_business_account: account }: z.output<typeof page>): SocialAccount[] {
  return account ? [{ id: account.id, name: account.username ?? account.id }] : [];
}
