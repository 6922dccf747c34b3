export type { AccessReader } from './access/access-reader.js';
export { type ReachedAccount, reachAccount, requirePermission } from './access/account-access.js';
export type { AccountScope } from './access/account-scope.js';
export { type Caller, findCaller } from './access/caller.js';
export { createLockedReader } from './access/create-locked-reader.js';
export type { AccessDirectory } from './access/directory.js';
export type { Guarded } from './access/guarded.js';
export type { CallingPartner } from './access/identify-partner.js';
export { judgeAgain } from './access/judge-again.js';
export type { MemberSnapshot } from './access/member-snapshot.js';
export { heldAccounts, reachableAccounts } from './access/reachable-accounts.js';
export { changeDecided } from './audit/change-decided.js';
export { changedFields } from './audit/changed-fields.js';
export { type Change, type ChangeRecord, makeChange } from './audit/make-change.js';

export { ConfigError, type KitConfig, kitConfigShape, portVariable, readConfig } from './config.js';
export type { Context } from './context.js';

export { type Enrolled, type Enrolment, enrol } from './enrolment/enrol.js';

export type { Kit } from './kit.js';
export { clearMemberLimits } from './limits/clear-member-limits.js';
export { countAttempt } from './limits/count-attempt.js';
export { MEMBER_HOLDERS, MOST_FAILURES_IN_A_ROW } from './limits/failures-in-a-row.js';
export { limitPerAddress } from './limits/limit-per-address.js';

export { familiarBucket, rememberOrigin } from './limits/login-limits.js';

export { applicationTypeOf, requireAllowedRole } from './login/application-type.js';
export { checkPassword } from './login/check-password.js';
export { loginProcedures, loginRows, passwordLoginIn } from './login/login-procedures.js';
export { passwordLogin, sessionView } from './login/login-views.js';
export { openSession } from './login/open-session.js';
export { type AppPage, appLink } from './mail/app-link.js';
export { limitMailRequests } from './mail/limit-mail-requests.js';
export { mailDelivery } from './mail/mail-delivery.js';

export { MAIL_KINDS, type MailData, type MailKindName } from './mail/mail-kinds.js';
export { mailRetention } from './mail/mail-retention.js';
export { outboxRows } from './mail/outbox-rows.js';
export { previewMails } from './mail/preview-mails.js';
export { type MailRequest, queueMail, takeMailShare, writeMail } from './mail/queue-mail.js';
export type { RenderedMail } from './mail/render-mail.js';
export { type KitOptions, makeKit } from './make-kit.js';

export { type MemberView, memberView, toMemberView } from './member/member-view.js';

export { addPartner } from './partner/add-partner.js';
export { appUrlSchema } from './partner/app-url-schema.js';
export { changePartner } from './partner/change-partner.js';
export { consentProcedures, consentRows } from './partner/consent-procedures.js';
export { finishPartnerRotation } from './partner/finish-partner-rotation.js';
export { linkPartnerMember, type PartnerLink } from './partner/link-partner-member.js';
export { newPartnerSchema } from './partner/new-partner-schema.js';
export type { PartnerChange } from './partner/partner-change.js';
export { partnerNameIn } from './partner/partner-name-in.js';
export { partnerNameSchema } from './partner/partner-name-schema.js';
export { partnerSecretContext } from './partner/partner-secret-context.js';
export { type PartnerRotation, rotatePartnerSecret } from './partner/rotate-partner-secret.js';
export { stopPartner } from './partner/stop-partner.js';
export { passwordProcedures, passwordRows } from './password/password-procedures.js';
export { requireGoodPassword } from './password/require-good-password.js';
export { createPersonnel, type NewColleague } from './personnel/create-personnel.js';
export { personnelFields } from './personnel/personnel-fields.js';
export { requireStaffRole } from './personnel/require-staff-role.js';
export { setGrants } from './personnel/set-grants.js';
export {
  accountOrOwnProcedure,
  accountProcedure,
  authTokenProcedure,
  bearerProcedure,
  memberProcedure,
  partnerProcedure,
  publicProcedure,
  rootProcedure,
  scopedProcedure,
  staffProcedure,
  staffScopedProcedure,
} from './procedures.js';

export { changeAddress } from './registration/change-address.js';
export { endEarlierSignIns } from './registration/end-earlier-sign-ins.js';
export { queueActivation } from './registration/queue-activation.js';
export { registrationProcedures, registrationRows } from './registration/registration-procedures.js';

export { accessRetention } from './retention/access-retention.js';
export { loginFailureRetention } from './retention/login-failure-retention.js';

export { runDeployment } from './run-deployment.js';
export { seedDemo } from './seed-demo.js';

export { endEverySession, endOneSession } from './session/end-sessions.js';
export { sessionProcedures, sessionRows } from './session/session-procedures.js';
export { sessionRowView, toSessionRowView } from './session/session-view.js';
export { attachIdentity } from './social/attach-identity.js';
export {
  type ConfiguredProvider,
  findConfiguredProvider,
  requireProvider,
} from './social/configured-provider.js';
export { connectionContent } from './social/connection-content.js';
export { connectionSecretContext } from './social/connection-secret-context.js';
export { readIdentity, sealIdentity } from './social/identity-payload.js';
export { mainUrl } from './social/main-url.js';
export { CODE_LIFE_MS, codeKey, newCode } from './social/one-use-code.js';
export type { ProvenIdentity } from './social/proven-identity.js';
export { socialProcedures, socialRows } from './social/social-procedures.js';
export { tokenSchedule } from './social/token-schedule.js';
export { t } from './trpc.js';
