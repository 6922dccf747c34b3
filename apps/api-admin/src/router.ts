import { t } from '@gatehouse/features/app/trpc';
import { loginProcedures } from '@gatehouse/features/login/login-procedures';
import { consentProcedures } from '@gatehouse/features/partner/consent-procedures';
import { passwordProcedures } from '@gatehouse/features/password/password-procedures';
import { registrationProcedures } from '@gatehouse/features/registration/registration-procedures';
import { sessionProcedures } from '@gatehouse/features/session/session-procedures';
import { socialProcedures } from '@gatehouse/features/social/social-procedures';
import { list as listAccounts } from './account/list.js';
import { members as accountMembers } from './account/members.js';
import { names as accountNames } from './account/names.js';
import { remove as removeAccount } from './account/remove.js';
import { search as searchAccounts } from './account/search.js';
import { marketingUrl } from './affiliate/marketing-url.js';
import { save as saveAffiliate } from './affiliate/save.js';
import { search as searchAffiliates } from './affiliate/search.js';
import { list as listAudit } from './audit/list.js';
import { analyze } from './knowledge/analyze.js';
import { ban } from './member/ban.js';
import { owners } from './member/owners.js';
import { remove as removeMember } from './member/remove.js';
import { search as searchMembers } from './member/search.js';
import { unlock } from './member/unlock.js';
import { update as updateMember } from './member/update.js';
import { remove as removeMembership } from './membership/remove.js';
import { save as saveMembership } from './membership/save.js';
import { deactivate as deactivatePartner } from './partner/deactivate.js';
import { finishRotation } from './partner/finish-rotation.js';
import { list as listPartners } from './partner/list.js';
import { rotateSecret } from './partner/rotate-secret.js';
import { save as savePartner } from './partner/save.js';
import { detail as personnelDetail } from './personnel/detail.js';
import { promote } from './personnel/promote.js';
import { save as savePersonnel } from './personnel/save.js';
import { searchManagers } from './personnel/search-managers.js';
import { update as updateProfile } from './profile/update.js';
import { byAuthToken } from './session/by-auth-token.js';
import { endFor } from './session/end-for.js';
import { listFor } from './session/list-for.js';
import { detail as webhookDetail } from './webhook/detail.js';
import { list as listWebhooks } from './webhook/list.js';
import { replay as replayWebhook } from './webhook/replay.js';

export type { Permission } from '@gatehouse/auth-core';

/** Everything the admin service can do: one entry is one thing. */
export const procedures = {
  account: {
    list: listAccounts,
    members: accountMembers,
    names: accountNames,
    remove: removeAccount,
    search: searchAccounts,
  },
  affiliate: { marketingUrl, save: saveAffiliate, search: searchAffiliates },
  audit: { list: listAudit },
  knowledge: { analyze },
  login: loginProcedures,
  member: { ban, owners, remove: removeMember, search: searchMembers, unlock, update: updateMember },
  membership: { remove: removeMembership, save: saveMembership },
  partner: {
    ...consentProcedures,
    deactivate: deactivatePartner,
    finishRotation,
    list: listPartners,
    rotateSecret,
    save: savePartner,
  },
  password: passwordProcedures,
  personnel: { detail: personnelDetail, promote, save: savePersonnel, searchManagers },
  profile: { update: updateProfile },
  registration: registrationProcedures,
  session: { ...sessionProcedures, byAuthToken, endFor, listFor },
  social: socialProcedures,
  webhook: { detail: webhookDetail, list: listWebhooks, replay: replayWebhook },
};

export const router = t.router(procedures);

/** The contract that typed clients are built on. */
export type AdminRouter = typeof router;
