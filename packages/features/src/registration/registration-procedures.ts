import { type ProcedureRow, routesOver } from '@gatehouse/http/rest/route';
import { resendConfirmation } from './resend-confirmation.js';

/** Procedures of signed-in members to confirm their address, in both deployments. */
export const registrationProcedures = { resendConfirmation };

const { post } = routesOver({ registration: registrationProcedures });

/** Their paths. */
export const registrationRows: readonly ProcedureRow[] = [
  post('/auth/resendConfirmation', 'registration.resendConfirmation', {
    summary: 'Ask for the activation mail again',
    refuses: ['no_address', 'rate_limited'],
  }),
];
