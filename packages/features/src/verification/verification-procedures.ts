import { prove } from './prove.js';

/** How a signed-in member proves their identity again, in both deployments. */
export const verificationProcedures = { prove };
