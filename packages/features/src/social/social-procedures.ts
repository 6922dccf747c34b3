import { integerIn, pageIn } from '@gatehouse/http/rest/coerce';
import { type ProcedureRow, routesOver } from '@gatehouse/http/rest/route';
import { connect } from './connect.js';
import { finish } from './finish.js';
import { list } from './list.js';
import { remove } from './remove.js';

/** A member's procedures for their connections, in both deployments. */
export const socialProcedures = { connect, finish, list, remove };

const { get, post } = routesOver({ social: socialProcedures });

/** Their paths in the auth router. */
export const socialRows: readonly ProcedureRow[] = [
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
      connectionId: integerIn(fields['connectionId']),
    }),
  ),
];
