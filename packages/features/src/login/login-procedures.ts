import { filledIn, flagIn } from '@gatehouse/http/rest/coerce';
import { type ProcedureRow, type RestRequest, routesOver } from '@gatehouse/http/rest/route';
import { bearer } from './bearer.js';
import { web } from './web.js';

/** The logins that both deployments have. */
export const loginProcedures = { bearer, web };

const { post } = routesOver({ login: loginProcedures });

/** Their paths. */
export const loginRows: readonly ProcedureRow[] = [
  post(
    '/authenticate',
    'login.bearer',
    {
      summary: 'Sign in for a bearer token',
      refuses: ['invalid_credentials', 'role_not_allowed', 'rate_limited'],
    },
    passwordLoginIn,
    { form: true },
  ),
  post(
    '/webauthenticate',
    'login.web',
    {
      summary: 'Sign in',
      refuses: ['invalid_credentials', 'role_not_allowed', 'invalid_token', 'rate_limited'],
      readsApptype: true,
    },
    ({ fields }) => ({
      email: filledIn(fields['email']),
      sid: filledIn(fields['sid']),
      password: fields['password'],
      tempLogin: filledIn(flagIn(fields['tempLogin'])),
      social: filledIn(flagIn(fields['social'])),
      token: filledIn(fields['token']),
    }),
    { form: true },
  ),
];

/** The two fields of a password login. */
export function passwordLoginIn({ fields }: RestRequest): { email: unknown; password: unknown } {
  return { email: fields['email'], password: fields['password'] };
}
