import { readFacebookProfile } from './facebook.js';
import { readGithubProfile } from './github.js';
import { readLinkedinProfile } from './linkedin.js';
import { readTiktokProfile } from './tiktok.js';
import { readTwitterProfile } from './twitter.js';
import { readUserInfo } from './read-user-info.js';
import type { ProfileRequest, SocialProvider, SocialProviderKey } from './social-provider.js';

const profileAt = (query: Readonly<Record<string, string>>, path = ''): ProfileRequest => ({
  at: 'profile',
  path,
  query,
});

/** The roles of the one who asks, with the names of the organisations, in LinkedIn's language of projections. */
const LINKEDIN_ORGANIZATIONS: ProfileRequest = {
  at: 'organizations',
  path: '',
  query: {
    q: 'roleAssignee',
    state: 'APPROVED',
    count: '100',
    projection: '(elements*(organization,role,state,organization~(localizedName)))',
  },
};

const FACEBOOK_FIELDS = 'id,name,first_name,last_name,email,picture';
const FACEBOOK_PAGES = 'accounts{id,name,instagram_business_account{id,username}}';

/** The six providers, side by side. A deployment may move each address elsewhere. */
export const SOCIAL_PROVIDERS = {
  google: {
    key: 'google',
    name: 'Google',
    providerId: 3,
    authorizationUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    profileUrl: 'https://www.googleapis.com/oauth2/v3/userinfo',
    scopes: ['profile', 'email'],
    scopeSeparator: ' ',
    usesPkce: true,
    clientIdParameter: 'client_id',
    clientAuthentication: 'body',
    provesSecret: false,
    renewalGrant: 'refresh_token',
    revocationCodes: ['invalid_grant'],
    profileRequests: () => [profileAt({})],
    readProfile: readUserInfo,
  },
  github: {
    key: 'github',
    name: 'GitHub',
    providerId: 5,
    authorizationUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    profileUrl: 'https://api.github.com/user',
    scopes: ['user:email'],
    scopeSeparator: ' ',
    usesPkce: true,
    clientIdParameter: 'client_id',
    clientAuthentication: 'body',
    provesSecret: false,
    renewalGrant: 'refresh_token',
    revocationCodes: ['bad_refresh_token', 'invalid_grant'],
    profileRequests: () => [profileAt({}), profileAt({}, '/emails')],
    readProfile: readGithubProfile,
  },
  facebook: {
    key: 'facebook',
    name: 'Facebook',
    providerId: 1,
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
  },
  linkedin: {
    key: 'linkedin',
    name: 'LinkedIn',
    providerId: 4,
    authorizationUrl: 'https://www.linkedin.com/oauth/v2/authorization',
    tokenUrl: 'https://www.linkedin.com/oauth/v2/accessToken',
    profileUrl: 'https://api.linkedin.com/v2/userinfo',
    organizationsUrl: 'https://api.linkedin.com/v2/organizationAcls',
    scopes: ['openid', 'profile', 'email', 'r_organization_social', 'w_member_social'],
    scopeSeparator: ' ',
    usesPkce: false,
    clientIdParameter: 'client_id',
    clientAuthentication: 'body',
    provesSecret: false,
    renewalGrant: 'refresh_token',
    revocationCodes: ['invalid_grant', 'invalid_request'],
    profileRequests: (scopes) => [
      profileAt({}),
      ...(scopes.includes('r_organization_social') ? [LINKEDIN_ORGANIZATIONS] : []),
    ],
    readProfile: readLinkedinProfile,
  },
  twitter: {
    key: 'twitter',
    name: 'X',
    providerId: 2,
    authorizationUrl: 'https://x.com/i/oauth2/authorize',
    tokenUrl: 'https://api.x.com/2/oauth2/token',
    profileUrl: 'https://api.x.com/2/users/me',
    scopes: ['tweet.read', 'users.read', 'offline.access'],
    scopeSeparator: ' ',
    usesPkce: true,
    clientIdParameter: 'client_id',
    clientAuthentication: 'basic',
    provesSecret: false,
    renewalGrant: 'refresh_token',
    // X answers a refresh token that was used or revoked as an invalid request.
    revocationCodes: ['invalid_grant', 'invalid_request'],
    profileRequests: (scopes) => [
      profileAt({
        'user.fields': scopes.includes('users.email')
          ? 'profile_image_url,confirmed_email'
          : 'profile_image_url',
      }),
    ],
    readProfile: readTwitterProfile,
  },
  tiktok: {
    key: 'tiktok',
    name: 'TikTok',
    providerId: 6,
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
  },
} as const satisfies { readonly [Key in SocialProviderKey]: SocialProvider & { readonly key: Key } };

/** The six keys, in the order in which they are offered. */
export const SOCIAL_PROVIDER_KEYS: readonly SocialProviderKey[] = [
  'google',
  'github',
  'facebook',
  'linkedin',
  'twitter',
  'tiktok',
];

/** The provider of a key as callers write it; undefined for anything else. */
export function findSocialProvider(key: string): SocialProvider | undefined {
  const known = SOCIAL_PROVIDER_KEYS.find((each) => each === key);
  return known && SOCIAL_PROVIDERS[known];
}

/** The provider of a stored number; undefined for one that is none of the six. */
export function findSocialProviderById(providerId: number): SocialProvider | undefined {
  return Object.values(SOCIAL_PROVIDERS).find((provider) => provider.providerId === providerId);
}
