import { list } from './list.js';
import { newBackupCodes } from './new-backup-codes.js';
import { switchFactor } from './switch.js';
import { confirm } from './totp-confirm.js';
import { remove } from './totp-remove.js';
import { start } from './totp-start.js';

/** A member's second step, in both deployments. */
export const factorProcedures = { list, newBackupCodes, switch: switchFactor };

/** A member's authenticator app, in both deployments. */
export const totpProcedures = { start, confirm, remove };
