import { z } from 'zod';
import type { SocialAccount, SocialProfile } from './social-profile.js';
import { profileId, profileName, readUserInfo } from './social-profile.js';
import { type ProfileRequest, profileAt, type SocialProvider } from './social-provider.js';

/** LinkedIn serves a version of its API for about a year after its month. */
const API_VERSION = '202610';

/** One of these permissions lets a program ask for the roles of a member. LinkedIn grants them to programs that it approved. */
const ROLE_SCOPES = ['r_organization_admin', 'rw_organization_admin'];

/** The caller's roles with the organizations' names, in LinkedIn's projection language. */
const LINKEDIN_ORGANIZATIONS: ProfileRequest = {
  at: 'organizations',
  mayFail: 'anyhow',
  path: '',
  headers: { 'LinkedIn-Version': API_VERSION, 'X-Restli-Protocol-Version': '2.0.0' },
  query: {
    q: 'roleAssignee',
    state: 'APPROVED',
    count: '100',
    projection: '(elements*(organization,role,state,organization~(localizedName)))',
  },
};

export const linkedin = {
  key: 'linkedin',
  name: 'LinkedIn',
  providerId: 4,
  vouching: '`email_verified`',
  authorizationUrl: 'https://www.linkedin.com/oauth/v2/authorization',
  tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
  profileUrl: 'https://api.linkedin.com/v2/userinfo',
  organizationsUrl: 'https://api.linkedin.com/rest/organizationAcls',
  scopes: ['openid', 'profile', 'email', 'w_member_social'],
  scopeSeparator: ' ',
  usesPkce: false,
  clientIdParameter: 'client_id',
  clientAuthentication: 'body',
  provesSecret: false,
  renewalGrant: 'refresh_token',
  revocationCodes: ['invalid_grant', 'invalid_request'],
  profileRequests: (scopes) => [
    profileAt({}),
    ...(scopes.some((scope) => ROLE_SCOPES.includes(scope)) ? [LINKEDIN_ORGANIZATIONS] : []),
  ],
  readProfile: readLinkedinProfile,
  loadStrategy: async () => (await import('passport-linkedin-oauth2')).default.Strategy,
} as const satisfies SocialProvider;

const role = z
  .object({
    organization: profileId.refine((urn) => urn.startsWith('urn:li:organization:')),
    state: z.literal('APPROVED'),
    'organization~': z.object({ localizedName: profileName }).nullish().catch(null),
  })
  .nullable()
  .catch(null);

const roles = z.object({ elements: z.array(role).catch([]) }).catch({ elements: [] });

/** Reads LinkedIn's userinfo and the organizations in which the member has a role. Posts can also be made as the member. */
function readLinkedinProfile(answers: readonly unknown[]): SocialProfile | undefined {
  const profile = readUserInfo(answers);
  if (!profile) return undefined;
  const { providerUserId, displayName } = profile;
  const person = { id: `urn:li:person:${providerUserId}`, name: displayName ?? providerUserId };
  return { ...profile, accounts: { lnAccounts: [person, ...organizationsIn(answers[1])] } };
}

/** Each organization once, however many roles the member has in it. */
function organizationsIn(answer: unknown): SocialAccount[] {
  const found = roles.parse(answer).elements.flatMap((each) => {
    if (each === null) return [];
    const { organization: id, 'organization~': named } = each;
    return [{ id, name: named?.localizedName ?? id }];
  });
  return [...new Map(found.map((account) => [account.id, account])).values()];
}
