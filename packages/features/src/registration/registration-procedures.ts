import { resendConfirmation } from './resend-confirmation.js';

/** Procedures of signed-in members to confirm their address, in both deployments. */
export const registrationProcedures = { resendConfirmation };
