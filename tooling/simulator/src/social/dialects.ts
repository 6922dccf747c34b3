import { createHmac } from 'node:crypto';
import type { Dialect, IssuedTokens, Person, ProviderKey, Reply, TokenRefusal } from './dialect.js';

const always = () => true;
const never = () => false;

/** RFC 6749, section 5.2. */
function standardRefusal(reason: TokenRefusal): Reply {
  const error = reason === 'client' ? 'invalid_client' : 'invalid_grant';
  return { status: reason === 'client' ? 401 : 400, json: { error, error_description: 'Bad Request' } };
}

function standardTokens({ accessToken, refreshToken, expiresInSeconds, scopes }: IssuedTokens) {
  return {
    access_token: accessToken,
    expires_in: expiresInSeconds,
    ...(refreshToken === '' ? {} : { refresh_token: refreshToken }),
    scope: scopes.join(' '),
    token_type: 'Bearer',
  };
}

const fullName = ({ firstName, lastName }: Person) => `${firstName} ${lastName}`.trim();

const withEmail = ({ email, isEmailVerified }: Person) =>
  email === '' ? {} : { email, email_verified: isEmailVerified };

const userInfo = (person: Person) => ({
  sub: person.id,
  name: fullName(person),
  given_name: person.firstName,
  family_name: person.lastName,
  picture: `https://pictures.example/${person.id}.png`,
  ...withEmail(person),
});

function graphError(code: number, message: string): Reply {
  return { status: 400, json: { error: { message, type: 'OAuthException', code, fbtrace_id: 'A1b2C3' } } };
}

function proves(accessToken: string, clientSecret: string, proof: string | null): boolean {
  return proof === createHmac('sha256', clientSecret).update(accessToken).digest('hex');
}

/** The six providers side by side, as in their documents and answers. */
export const DIALECTS: Readonly<Record<ProviderKey, Dialect>> = {
  google: {
    name: 'Google',
    authorizePath: '/o/oauth2/v2/auth',
    tokenPath: '/token',
    profilePath: '/oauth2/v3/userinfo',
    scopeSeparator: ' ',
    clientIdParameter: 'client_id',
    clientAuthentication: 'body',
    pkce: 'supported',
    accessTokenSeconds: 3599,
    rotatesRefreshTokens: false,
    renewalGrant: 'refresh_token',
    givesRefreshToken: (authorization) => authorization.get('access_type') === 'offline',
    denial: { error: 'access_denied' },
    tokens: (issued, kind) => standardTokens(kind === 'renewal' ? { ...issued, refreshToken: '' } : issued),
    refuseTokens: standardRefusal,
    profile: ({ grant }) => ({ status: 200, json: userInfo(grant.person) }),
    refuseProfile: () => ({
      status: 401,
      json: { error: 'invalid_request', error_description: 'Invalid Credentials' },
    }),
  },
  github: {
    name: 'GitHub',
    authorizePath: '/login/oauth/authorize',
    tokenPath: '/login/oauth/access_token',
    profilePath: '/user',
    scopeSeparator: ' ',
    clientIdParameter: 'client_id',
    clientAuthentication: 'body',
    pkce: 'supported',
    accessTokenSeconds: 0,
    rotatesRefreshTokens: true,
    renewalGrant: 'refresh_token',
    givesRefreshToken: never,
    denial: { error: 'access_denied', error_description: 'The user has denied your application access.' },
    tokens: ({ accessToken, scopes }) => ({
      access_token: accessToken,
      token_type: 'bearer',
      scope: scopes.join(','),
    }),
    // GitHub reports errors of the token endpoint with status 200.
    refuseTokens: (reason) => ({
      status: 200,
      json: {
        error: {
          client: 'incorrect_client_credentials',
          code: 'bad_verification_code',
          refresh: 'bad_refresh_token',
        }[reason],
        error_description: 'The code passed is incorrect or expired.',
        error_uri: 'https://docs.github.com/',
      },
    }),
    profile: ({ path, grant: { person } }) => ({
      status: 200,
      json:
        path === '/emails'
          ? githubAddresses(person)
          : {
              id: Number(person.id.replaceAll(/\D/g, '').slice(0, 15) || '1'),
              login: person.firstName.toLowerCase() || 'someone',
              name: fullName(person),
              // A GitHub profile shows whichever address its owner chooses.
              email: 'shown-on-the-profile@example.test',
              avatar_url: `https://pictures.example/${person.id}.png`,
            },
    }),
    refuseProfile: () => ({ status: 401, json: { message: 'Bad credentials' } }),
  },
  facebook: {
    name: 'Facebook',
    authorizePath: '/v26.0/dialog/oauth',
    tokenPath: '/v26.0/oauth/access_token',
    profilePath: '/v26.0/me',
    scopeSeparator: ',',
    clientIdParameter: 'client_id',
    clientAuthentication: 'body',
    pkce: 'unknown',
    accessTokenSeconds: 5_184_000,
    rotatesRefreshTokens: false,
    fragment: '_=_',
    renewalGrant: 'fb_exchange_token',
    givesRefreshToken: never,
    denial: {
      error: 'access_denied',
      error_code: '200',
      error_description: 'Permissions error',
      error_reason: 'user_denied',
    },
    tokens: ({ accessToken, expiresInSeconds }) => ({
      access_token: accessToken,
      token_type: 'bearer',
      expires_in: expiresInSeconds,
    }),
    refuseTokens: (reason) =>
      reason === 'refresh'
        ? graphError(190, 'Error validating access token.')
        : graphError(100, 'This authorization code has been used.'),
    profile: ({ query, accessToken, clientSecret, grant: { person } }) => {
      if (!proves(accessToken, clientSecret, query.get('appsecret_proof'))) {
        return graphError(100, 'Invalid appsecret_proof provided in the API argument');
      }
      const all: Record<string, unknown> = {
        id: person.id,
        name: fullName(person),
        first_name: person.firstName,
        last_name: person.lastName,
        ...(person.email === '' ? {} : { email: person.email }),
        picture: { data: { url: `https://pictures.example/${person.id}.png`, is_silhouette: false } },
        accounts: {
          data: [
            {
              id: '9001',
              name: 'The Rivera Page',
              instagram_business_account: { id: '9002', username: 'rivera' },
            },
            { id: '9003', name: 'Another Page' },
          ],
        },
      };
      const fields = (query.get('fields') ?? 'id,name')
        .split(/,(?![^{]*\})/)
        .map((field) => field.split('{')[0] ?? '');
      return {
        status: 200,
        json: Object.fromEntries(fields.filter((field) => field in all).map((field) => [field, all[field]])),
      };
    },
    refuseProfile: () => ({ ...graphError(190, 'Invalid OAuth access token.'), status: 401 }),
  },
  linkedin: {
    name: 'LinkedIn',
    authorizePath: '/oauth/v2/authorization',
    tokenPath: '/oauth/v2/accessToken',
    profilePath: '/v2/userinfo',
    organizationsPath: '/rest/organizationAcls',
    scopeSeparator: ' ',
    clientIdParameter: 'client_id',
    clientAuthentication: 'body',
    pkce: 'unknown',
    accessTokenSeconds: 5_184_000,
    rotatesRefreshTokens: false,
    renewalGrant: 'refresh_token',
    givesRefreshToken: always,
    denial: { error: 'user_cancelled_authorize', error_description: 'The user cancelled the authorization' },
    tokens: (issued) => ({ ...standardTokens(issued), refresh_token_expires_in: 31_536_000 }),
    refuseTokens: (reason) =>
      reason === 'client'
        ? standardRefusal(reason)
        : {
            status: 400,
            json: { error: 'invalid_request', error_description: 'Unable to retrieve access token' },
          },
    profile({ path, query, headers, grant: { person, scopes } }) {
      if (path === '/rest/organizationAcls') {
        const isVersioned = /^20\d{4}$/.test(String(headers['linkedin-version']));
        const isProtocol = headers['x-restli-protocol-version'] === '2.0.0';
        if (!isVersioned || !isProtocol)
          return { status: 426, json: { status: 426, code: 'NONEXISTENT_VERSION' } };
        return linkedinOrganizations(query, person, scopes);
      }
      return {
        status: 200,
        json: {
          ...userInfo(person),
          locale: { country: 'US', language: 'en' },
          // LinkedIn writes the flag as text.
          ...(person.email === '' ? {} : { email_verified: String(person.isEmailVerified) }),
        },
      };
    },
    refuseProfile: () => ({ status: 401, json: { status: 401, code: 'REVOKED_ACCESS_TOKEN' } }),
  },
  twitter: {
    name: 'X',
    authorizePath: '/i/oauth2/authorize',
    tokenPath: '/2/oauth2/token',
    profilePath: '/2/users/me',
    scopeSeparator: ' ',
    clientIdParameter: 'client_id',
    clientAuthentication: 'basic',
    pkce: 'required',
    accessTokenSeconds: 7200,
    rotatesRefreshTokens: true,
    renewalGrant: 'refresh_token',
    givesRefreshToken: (authorization) =>
      (authorization.get('scope') ?? '').split(' ').includes('offline.access'),
    denial: { error: 'access_denied' },
    tokens: (issued) => ({ ...standardTokens(issued), token_type: 'bearer' }),
    refuseTokens: (reason) =>
      reason === 'client'
        ? {
            status: 401,
            json: { error: 'unauthorized_client', error_description: 'Missing valid authorization header' },
          }
        : {
            status: 400,
            json: { error: 'invalid_request', error_description: 'Value passed for the token was invalid.' },
          },
    profile: ({ query, grant: { person, scopes } }) => ({
      status: 200,
      json: {
        data: {
          id: person.id,
          name: fullName(person),
          username: `${person.firstName}_${person.lastName}`.toLowerCase(),
          profile_image_url: `https://pictures.example/${person.id}.png`,
          ...(scopes.includes('users.email') && (query.get('user.fields') ?? '').includes('confirmed_email')
            ? { confirmed_email: person.email }
            : {}),
        },
      },
    }),
    refuseProfile: () => ({
      status: 401,
      json: { title: 'Unauthorized', status: 401, detail: 'Unauthorized' },
    }),
  },
  tiktok: {
    name: 'TikTok',
    authorizePath: '/v2/auth/authorize/',
    tokenPath: '/v2/oauth/token/',
    profilePath: '/v2/user/info/',
    scopeSeparator: ',',
    clientIdParameter: 'client_key',
    clientAuthentication: 'body',
    pkce: 'unknown',
    accessTokenSeconds: 86_400,
    rotatesRefreshTokens: true,
    renewalGrant: 'refresh_token',
    givesRefreshToken: always,
    denial: { error: 'access_denied', error_type: 'access_denied' },
    tokens: ({ person, scopes, ...issued }) => ({
      ...standardTokens({ person, scopes, ...issued }),
      scope: scopes.join(','),
      open_id: person.id,
      refresh_expires_in: 31_536_000,
    }),
    // TikTok reports errors with status 200.
    refuseTokens: (reason) => ({
      status: 200,
      json: {
        error: reason === 'client' ? 'invalid_client' : 'invalid_grant',
        error_description: 'Authorization code is expired.',
        log_id: '202601010000',
      },
    }),
    profile: ({ grant: { person } }) => ({
      status: 200,
      json: {
        data: {
          user: {
            open_id: person.id,
            avatar_url: `https://pictures.example/${person.id}.png`,
            display_name: fullName(person),
          },
        },
        error: { code: 'ok', message: '', log_id: '202601010001' },
      },
    }),
    refuseProfile: () => ({
      status: 401,
      json: {
        data: {},
        error: { code: 'access_token_invalid', message: 'The access token is invalid.', log_id: '1' },
      },
    }),
  },
};

function githubAddresses(person: Person): object[] {
  const other = { email: 'old@example.test', primary: false, verified: true, visibility: null };
  if (person.email === '') return [other];
  return [
    other,
    { email: person.email, primary: true, verified: person.isEmailVerified, visibility: 'private' },
  ];
}

/** The organizations in which a person has a role, in the provider's field. They have names if a projection asks for them. */
function linkedinOrganizations(query: URLSearchParams, person: Person, scopes: readonly string[]): Reply {
  if (!scopes.some((scope) => scope === 'r_organization_admin' || scope === 'rw_organization_admin')) {
    return { status: 403, json: { status: 403, code: 'ACCESS_DENIED' } };
  }
  if (query.get('q') !== 'roleAssignee')
    return { status: 400, json: { status: 400, code: 'ILLEGAL_ARGUMENT' } };
  const isNamed = query.get('projection')?.includes('localizedName') ?? false;
  const roles = [
    { id: 2_414_183, kind: 'Bakery', role: 'ADMINISTRATOR', state: 'APPROVED' },
    { id: 5_515_715, kind: 'Foundation', role: 'CONTENT_ADMINISTRATOR', state: 'APPROVED' },
    { id: 5_515_715, kind: 'Foundation', role: 'DIRECT_SPONSORED_CONTENT_POSTER', state: 'APPROVED' },
    { id: 7_000_001, kind: 'Club', role: 'ADMINISTRATOR', state: 'REQUESTED' },
  ];
  const elements = roles.map(({ id, kind, role, state }) => ({
    organization: `urn:li:organization:${id}`,
    role,
    roleAssignee: `urn:li:person:${person.id}`,
    state,
    ...(isNamed ? { 'organization~': { localizedName: `${person.lastName} ${kind}` } } : {}),
  }));
  return { status: 200, json: { paging: { start: 0, count: 100, total: elements.length }, elements } };
}
