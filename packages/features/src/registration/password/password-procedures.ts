import { change } from './change.js';

/** Procedures of signed-in members for their own password, in both deployments. */
export const passwordProcedures = { change };
