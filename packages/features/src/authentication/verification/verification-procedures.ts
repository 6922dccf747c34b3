import { options } from './options.js';
import { prove } from './prove.js';
import { sendEmail } from './send-email.js';

/** How a signed-in member proves their identity again, in both deployments. */
export const verificationProcedures = { options, prove, sendEmail };
