import { z } from 'zod';
import type { SocialAccount, SocialProfile } from './social-profile.js';
import { profileEmail, profileId, profileName, profilePicture } from './social-profile.js';
import { profileAt, type SocialProvider } from './social-provider.js';

const FACEBOOK_FIELDS = 'id,name,first_name,last_name,email,picture';
const FACEBOOK_PAGES = 'accounts{id,name,instagram_business_account{id,username}}';

export const facebook = {
  key: 'facebook',
  name: 'Facebook',
  providerId: 1,
  vouching: 'does not say, so no',
  authorizationUrl: 'https://www.facebook.com/v26.0/dialog/oauth',
  tokenUrl: 'https://graph.facebook.com/v26.0/oauth/access_token',
  profileUrl: 'https://graph.facebook.com/v26.0/me',
  scopes: ['public_profile', 'email'],
  scopeSeparator: ',',
  usesPkce: false,
  clientIdParameter: 'client_id',
  clientAuthentication: 'body',
  provesSecret: true,
  renewalGrant: 'fb_exchange_token',
  revocationCodes: ['190'],
  profileRequests: (scopes) => [
    profileAt({
      fields: scopes.includes('pages_show_list') ? `${FACEBOOK_FIELDS},${FACEBOOK_PAGES}` : FACEBOOK_FIELDS,
    }),
  ],
  readProfile: readFacebookProfile,
  loadStrategy: async () => (await import('passport-facebook')).default.Strategy,
} as const satisfies SocialProvider;

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

/** Reads `/me`. Facebook does not say whether an address is verified, so none is regarded as verified. */
function readFacebookProfile(answers: readonly unknown[]): SocialProfile | undefined {
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
