import { changeOwnPassword } from './change-own-password.js';
import { resendConfirmation } from './mail-confirmation.js';

/** Procedures of signed-in members to confirm their address, in both deployments. */
export const registrationProcedures = { resendConfirmation };

/** Procedures of signed-in members for their own password, in both deployments. */
export const passwordProcedures = { change: changeOwnPassword };
