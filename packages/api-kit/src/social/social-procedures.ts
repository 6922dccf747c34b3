import { integerIn, pageIn } from '../rest/coerce.js';
import { type ProcedureRow, routesOver } from '../rest/route.js';
import { connect } from './connect.js';
import { finish } from './finish.js';
import { list } from './list.js';
import { remove } from './remove.js';

/** What signed-in members do with their connections, in both deployments. */
export const socialProcedures = { connect, finish, list, remove };

const { get, post } = routesOver({ social: socialProcedures });

/** Their paths in the auth router. */
export const socialRows: readonly ProcedureRow[] = [
  get('/auth/connections', 'social.list', ({ fields }) => pageIn(fields)),
  post('/auth/connections/start', 'social.connect', ({ fields }) => ({ provider: fields['provider'] })),
  post('/auth/connections/finish', 'social.finish', ({ fields }) => ({ code: fields['code'] })),
  post('/auth/connections/remove', 'social.remove', ({ fields }) => ({
    connectionId: integerIn(fields['connectionId']),
  })),
];
