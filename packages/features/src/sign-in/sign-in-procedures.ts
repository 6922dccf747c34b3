import { password } from './password.js';
import { step } from './step.js';
import { stepEmail } from './step-email.js';
import { stepOptions } from './step-options.js';
import { token } from './token.js';

/** Signing in, in one step or two, in both deployments. */
export const signInProcedures = { password, step, stepEmail, stepOptions, token };
