import { addPasskey, addPasskeyOptions } from './passkey/enrol-passkey.js';
import { listOwnPasskeys, removeOwnPasskey, renameOwnPasskey } from './passkey/manage-passkeys.js';
import { passkeySignInOptions, signInByPasskey } from './passkey-sign-in.js';
import { bearerLogin, signInByPassword, webLogin } from './password-logins.js';
import { listOwnFactors, newBackupCodes, switchFactor } from './second-factor/manage-factors.js';
import { confirmOwnTotp, removeOwnTotp, startTotp } from './second-factor/manage-totp.js';
import { stepEmail, stepOptions, takeStep } from './second-step.js';
import { me } from './session/describe-session.js';
import { endManySessions, endOwnSession } from './session/end-sessions.js';
import { issueAuthToken } from './session/issue-auth-token.js';
import { listOwnSessions, renameOwnSession } from './session/own-sessions.js';
import { refresh } from './session/refresh-own-session.js';
import { prove, sendVerificationCode, verificationOptions } from './session-verification.js';
import { signInByToken } from './token-sign-in.js';

/** The logins that both deployments have. */
export const loginProcedures = { bearer: bearerLogin, web: webLogin };

/** A member's procedures for their own sessions, in both deployments. */
export const sessionProcedures = {
  end: endOwnSession,
  endMany: endManySessions,
  issueAuthToken,
  list: listOwnSessions,
  me,
  refresh,
  rename: renameOwnSession,
};

/** Signing in, in one step or two, in both deployments. */
export const signInProcedures = {
  passkey: signInByPasskey,
  passkeyOptions: passkeySignInOptions,
  password: signInByPassword,
  step: takeStep,
  stepEmail,
  stepOptions,
  token: signInByToken,
};

/** A member's second step, in both deployments. */
export const factorProcedures = { list: listOwnFactors, newBackupCodes, switch: switchFactor };

/** A member's authenticator app, in both deployments. */
export const totpProcedures = { start: startTotp, confirm: confirmOwnTotp, remove: removeOwnTotp };

/** A member's passkeys, in both deployments. */
export const passkeyProcedures = {
  addOptions: addPasskeyOptions,
  add: addPasskey,
  list: listOwnPasskeys,
  rename: renameOwnPasskey,
  remove: removeOwnPasskey,
};

/** How a signed-in member proves their identity again, in both deployments. */
export const verificationProcedures = {
  options: verificationOptions,
  prove,
  sendEmail: sendVerificationCode,
};
