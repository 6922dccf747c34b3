import { filledIn, pageIn } from '@gatehouse/http/rest/procedure-rows';
import {
  type ProcedureRow,
  type RestRequest,
  type RestRow,
  raw,
  routesOver,
} from '@gatehouse/http/rest/route';
import { loginProcedures, sessionProcedures } from '../authentication/authentication-procedures.js';
import type { Context } from '../core/context.js';
import { consentProcedures } from '../partner/consent-procedures.js';
import { passwordProcedures, registrationProcedures } from '../registration/registration-procedures.js';
import { socialProcedures } from '../social/social-procedures.js';
import { oidcCallback } from '../sso/oidc-callback.js';
import { oidcBackchannel } from '../sso/oidc-logout.js';
import { samlAcs } from '../sso/saml-acs.js';
import { samlLogout } from '../sso/saml-logout.js';
import { samlMetadata } from '../sso/serve-saml-metadata.js';
import { beginSso, finishSso } from '../sso/sso-flow.js';

const { get, post } = routesOver({
  login: loginProcedures,
  partner: consentProcedures,
  password: passwordProcedures,
  registration: registrationProcedures,
  session: sessionProcedures,
  social: socialProcedures,
});

/** The two fields of a password login. */
export function passwordLoginIn({ fields }: RestRequest): { email: unknown; password: unknown } {
  return { email: fields['email'], password: fields['password'] };
}

/** The logins of both deployments. */
export const loginRoutes: readonly ProcedureRow[] = [
  post(
    '/authenticate',
    'login.bearer',
    {
      summary: 'Sign in for a bearer token',
      refuses: [
        'invalid_credentials',
        'second_factor_required',
        'role_not_allowed',
        'rate_limited',
        'legacy_unavailable',
        'sso_required',
      ],
    },
    passwordLoginIn,
    { isLogin: true },
  ),
  post(
    '/webauthenticate',
    'login.web',
    {
      summary: 'Sign in',
      refuses: [
        'invalid_credentials',
        'second_factor_required',
        'role_not_allowed',
        'invalid_token',
        'rate_limited',
        'legacy_unavailable',
        'sso_required',
      ],
      readsApptype: true,
    },
    ({ fields }) => ({
      email: filledIn(fields['email']),
      sid: filledIn(fields['sid']),
      password: fields['password'],
      tempLogin: filledIn(fields['tempLogin']),
      social: filledIn(fields['social']),
      token: filledIn(fields['token']),
      withoutSso: filledIn(fields['withoutSso']),
    }),
    { isLogin: true },
  ),
];

/**
 * The addresses of connections with identity providers: those of accounts in the main service, those of the platform in the admin
 * service.
 */
export const ssoRoutes: readonly RestRow<Context>[] = [
  raw(['GET'], '/sso/:key/start', beginSso),
  raw(['GET'], '/sso/:key/finish', finishSso),
  raw(['GET'], '/sso/oidc/:key/callback', oidcCallback),
  raw(['POST'], '/sso/oidc/:key/backchannel', oidcBackchannel),
  raw(['GET'], '/sso/saml/:key/metadata', samlMetadata),
  raw(['POST'], '/sso/saml/:key/acs', samlAcs),
  raw(['GET'], '/sso/saml/:key/logout', samlLogout.get),
  raw(['POST'], '/sso/saml/:key/logout', samlLogout.post),
];

/** Procedures of members for their own sessions, password, address and connections, in both deployments. */
export const memberRoutes: readonly ProcedureRow[] = [
  post('/auth/logout', 'session.end', { summary: 'Sign out' }),
  get('/auth/me', 'session.me', {
    summary: 'See who is signed in and what they may do',
    refuses: ['account_forbidden'],
  }),
  // This refuses a session in which root acts read-only for a member of staff.
  post('/auth/apiToken', 'session.issueAuthToken', { summary: 'Get an auth_token', refuses: ['read_only'] }),
  get('/auth/sessions', 'session.list', { summary: "List one's sessions" }, ({ fields }) => pageIn(fields)),
  post(
    '/auth/sessions/end',
    'session.endMany',
    { summary: 'End one session, or all the others', refuses: ['not_found'] },
    ({ fields }) => ({
      sessionId: fields['sessionId'],
      others: fields['others'],
    }),
  ),
  post(
    '/auth/password',
    'password.change',
    {
      summary: "Change one's password",
      refuses: ['invalid_credentials', 'no_password', 'verification_required', 'rate_limited'],
      credentials: ['currentPassword'],
    },
    ({ fields }) => ({
      currentPassword: fields['currentPassword'],
      newPassword: fields['newPassword'],
      endConnections: fields['endConnections'],
    }),
  ),
  post('/auth/resendConfirmation', 'registration.resendConfirmation', {
    summary: 'Ask for the activation mail again',
    refuses: ['no_address', 'rate_limited'],
  }),
  get('/auth/connections', 'social.list', { summary: "List one's connections" }, ({ fields }) =>
    pageIn(fields),
  ),
  post(
    '/auth/connections/start',
    'social.connect',
    {
      summary: 'Begin to connect a provider',
      refuses: ['not_found', 'provider_not_configured', 'rate_limited'],
    },
    ({ fields }) => ({ provider: fields['provider'] }),
  ),
  post(
    '/auth/connections/finish',
    'social.finish',
    { summary: 'Finish connecting a provider', refuses: ['invalid_token', 'connection_taken'] },
    ({ fields }) => ({ code: fields['code'] }),
  ),
  post(
    '/auth/connections/remove',
    'social.remove',
    { summary: 'Remove a connection', refuses: ['not_found', 'last_connection'] },
    ({ fields }) => ({
      connectionId: fields['connectionId'],
    }),
  ),
];

/** Procedures of members about partners, in both deployments. */
export const consentRoutes: readonly ProcedureRow[] = [
  get(
    '/auth/partners',
    'partner.listMine',
    { summary: 'List the partners that may sign one on' },
    ({ fields }) => pageIn(fields),
  ),
  post(
    '/auth/partners/consent',
    'partner.consent',
    { summary: "Let a partner reach all one's accounts", refuses: ['not_found'] },
    ({ fields }) => ({
      partnerId: fields['partnerId'],
      consent: fields['consent'],
    }),
  ),
];
