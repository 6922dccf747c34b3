import { flagIn, integerIn, pageIn } from '@gatehouse/http/rest/coerce';
import { type ProcedureRow, routesOver } from '@gatehouse/http/rest/route';
import { end } from './end.js';
import { endMany } from './end-many.js';
import { issueAuthToken } from './issue-auth-token.js';
import { list } from './list.js';
import { me } from './me.js';

/** A member's procedures for their own sessions, in both deployments. */
export const sessionProcedures = { end, endMany, issueAuthToken, list, me };

const { get, post } = routesOver({ session: sessionProcedures });

/** The auth router: their paths. */
export const sessionRows: readonly ProcedureRow[] = [
  post('/auth/logout', 'session.end', { summary: 'Sign out' }),
  get('/auth/me', 'session.me', {
    summary: 'See who is signed in and what they may do',
    refuses: ['account_forbidden'],
  }),
  post('/auth/apiToken', 'session.issueAuthToken', { summary: 'Get an auth_token' }),
  get('/auth/sessions', 'session.list', { summary: "List one's sessions" }, ({ fields }) => pageIn(fields)),
  post(
    '/auth/sessions/end',
    'session.endMany',
    { summary: 'End one session, or all the others', refuses: ['not_found'] },
    ({ fields }) => ({
      sessionId: integerIn(fields['sessionId']),
      others: flagIn(fields['others']),
    }),
  ),
];
