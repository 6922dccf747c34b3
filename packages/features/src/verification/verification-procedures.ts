import { prove } from './prove.js';

/** How a signed-in member shows again who they are, in both deployments. */
export const verificationProcedures = { prove };
