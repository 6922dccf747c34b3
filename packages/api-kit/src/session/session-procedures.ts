import { type ProcedureRow, routesOver } from '../rest/route.js';
import { end } from './end.js';
import { me } from './me.js';

/** What every signed-in member may do with their own sessions, in both deployments. */
export const sessionProcedures = { end, me };

const { get, post } = routesOver({ session: sessionProcedures });

/** The auth router: their paths. */
export const sessionRows: readonly ProcedureRow[] = [post('/auth/logout', 'session.end'), get('/auth/me', 'session.me')];
