import { consentProcedures, loginProcedures, sessionProcedures, t } from '@gatehouse/api-kit';
import { bearer } from './health/bearer.js';
import { designer } from './login/designer.js';
import { plain } from './login/plain.js';
import { list as memberList } from './member/list.js';
import { authenticate } from './partner/authenticate.js';
import { registerUser } from './partner/register-user.js';
import { signIn } from './partner/sign-in.js';
import { singleSignOn } from './partner/single-sign-on.js';

/** Everything the main service can do: one entry is one thing. */
export const procedures = {
  health: { bearer },
  login: { ...loginProcedures, plain, designer },
  member: { list: memberList },
  partner: { ...consentProcedures, authenticate, registerUser, signIn, singleSignOn },
  session: sessionProcedures,
};

export const router = t.router(procedures);

/** The contract that typed clients are built on. */
export type MainRouter = typeof router;
