import { readUserInfo } from './social-profile.js';
import { profileAt, type SocialProvider } from './social-provider.js';

export const google = {
  key: 'google',
  name: 'Google',
  providerId: 3,
  vouching: '`email_verified`',
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
  loadStrategy: async () => (await import('passport-google-oauth20')).default.Strategy,
} as const satisfies SocialProvider;
