import { type ProcedureRow, routesOver } from '@gatehouse/http/rest/route';
import { change } from './change.js';

/** Procedures of signed-in members for their own password, in both deployments. */
export const passwordProcedures = { change };

const { post } = routesOver({ password: passwordProcedures });

/** Their paths. */
export const passwordRows: readonly ProcedureRow[] = [
  post(
    '/auth/password',
    'password.change',
    { summary: "Change one's password", refuses: ['invalid_credentials', 'no_password', 'rate_limited'] },
    ({ fields }) => ({
      currentPassword: fields['currentPassword'],
      newPassword: fields['newPassword'],
    }),
  ),
];
