import { passkey } from './passkey.js';
import { passkeyOptions } from './passkey-options.js';
import { password } from './password.js';
import { step } from './step.js';
import { stepEmail } from './step-email.js';
import { stepOptions } from './step-options.js';
import { token } from './token.js';

/** Signing in, in one step or two, in both deployments. */
export const signInProcedures = { passkey, passkeyOptions, password, step, stepEmail, stepOptions, token };
