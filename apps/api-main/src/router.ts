import { t } from '@gatehouse/features/app/trpc';
import { loginProcedures } from '@gatehouse/features/login/login-procedures';
import { consentProcedures } from '@gatehouse/features/partner/consent-procedures';
import { passwordProcedures } from '@gatehouse/features/password/password-procedures';
import { registrationProcedures } from '@gatehouse/features/registration/registration-procedures';
import { sessionProcedures } from '@gatehouse/features/session/session-procedures';
import { socialProcedures } from '@gatehouse/features/social/social-procedures';
import { search as accountSearch } from './account/search.js';
import { list as conversationList } from './conversation/list.js';
import { messages as conversationMessages } from './conversation/messages.js';
import { bearer } from './health/bearer.js';
import { designer } from './login/designer.js';
import { oneTimePassword } from './login/one-time-password.js';
import { plain } from './login/plain.js';
import { requestOneTimePassword } from './login/request-one-time-password.js';
import { detail as memberDetail } from './member/detail.js';
import { list as memberList } from './member/list.js';
import { search as memberSearch } from './member/search.js';
import { authenticate } from './partner/authenticate.js';
import { registerUser } from './partner/register-user.js';
import { signIn } from './partner/sign-in.js';
import { singleSignOn } from './partner/single-sign-on.js';
import { forgot } from './password/forgot.js';
import { reset } from './password/reset.js';
import { confirm } from './registration/confirm.js';
import { confirmationDetails } from './registration/confirmation-details.js';
import { register } from './registration/register.js';
import { remove as subjectRemove } from './subject/remove.js';
import { list as subscriptionList } from './subscription/list.js';

export type { Permission, SocialProviderKey } from '@gatehouse/auth-core';
export type { TrpcRefusal } from '@gatehouse/http/trpc/trpc-refusal';

/** Everything the main service can do: one entry is one thing. */
export const procedures = {
  account: { search: accountSearch },
  conversation: { list: conversationList, messages: conversationMessages },
  health: { bearer },
  login: { ...loginProcedures, plain, designer, oneTimePassword, requestOneTimePassword },
  member: { detail: memberDetail, list: memberList, search: memberSearch },
  partner: { ...consentProcedures, authenticate, registerUser, signIn, singleSignOn },
  password: { ...passwordProcedures, forgot, reset },
  registration: { ...registrationProcedures, confirm, confirmationDetails, register },
  session: sessionProcedures,
  social: socialProcedures,
  subscription: { list: subscriptionList },
  subject: { remove: subjectRemove },
};

export const router = t.router(procedures);

/** The contract that typed clients are built on. */
export type MainRouter = typeof router;
