import { flagIn, integerIn, pageIn } from '../rest/coerce.js';
import { type ProcedureRow, routesOver } from '../rest/route.js';
import { end } from './end.js';
import { endMany } from './end-many.js';
import { issueAuthToken } from './issue-auth-token.js';
import { list } from './list.js';
import { me } from './me.js';

/** What every signed-in member may do with their own sessions, in both deployments. */
export const sessionProcedures = { end, endMany, issueAuthToken, list, me };

const { get, post } = routesOver({ session: sessionProcedures });

/** The auth router: their paths. */
export const sessionRows: readonly ProcedureRow[] = [
  post('/auth/logout', 'session.end'),
  get('/auth/me', 'session.me'),
  post('/auth/apiToken', 'session.issueAuthToken'),
  get('/auth/sessions', 'session.list', ({ fields }) => pageIn(fields)),
  post('/auth/sessions/end', 'session.endMany', ({ fields }) => ({
    sessionId: integerIn(fields['sessionId']),
    others: flagIn(fields['others']),
  })),
];
