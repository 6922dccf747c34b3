import {
  consentProcedures,
  loginProcedures,
  passwordProcedures,
  registrationProcedures,
  sessionProcedures,
  t,
} from '@gatehouse/api-kit';
import { bearer } from './health/bearer.js';
import { designer } from './login/designer.js';
import { oneTimePassword } from './login/one-time-password.js';
import { plain } from './login/plain.js';
import { requestOneTimePassword } from './login/request-one-time-password.js';
import { list as memberList } from './member/list.js';
import { authenticate } from './partner/authenticate.js';
import { registerUser } from './partner/register-user.js';
import { signIn } from './partner/sign-in.js';
import { singleSignOn } from './partner/single-sign-on.js';
import { forgot } from './password/forgot.js';
import { reset } from './password/reset.js';
import { confirm } from './registration/confirm.js';
import { confirmationDetails } from './registration/confirmation-details.js';
import { register } from './registration/register.js';

/** Everything the main service can do: one entry is one thing. */
export const procedures = {
  health: { bearer },
  login: { ...loginProcedures, plain, designer, oneTimePassword, requestOneTimePassword },
  member: { list: memberList },
  partner: { ...consentProcedures, authenticate, registerUser, signIn, singleSignOn },
  password: { ...passwordProcedures, forgot, reset },
  registration: { ...registrationProcedures, confirm, confirmationDetails, register },
  session: sessionProcedures,
};

export const router = t.router(procedures);

/** The contract that typed clients are built on. */
export type MainRouter = typeof router;
