export { accountReach, decideAccess, staffReach } from './access.js';
export { ACCESS_FACTS, type AccessFact, type AccessLink } from './access-chain.js';
export type {
  AccessDecision,
  AccessQuestion,
  AccessRefusal,
  AccessSnapshot,
  AskedLevel,
  CustomRole,
  LevelRefusal,
  RequiredLevel,
  SessionLapse,
} from './access-question.js';
export { isRootStaff, staffPermissions } from './active-member.js';
export { createDataCipher, type DataCipher, SealedDataRefused } from './crypto/data-cipher.js';
export { randomId } from './crypto/random-id.js';
export { randomToken } from './crypto/random-token.js';
export { sha256Hex } from './crypto/sha256-hex.js';
export { timingSafeEqualText } from './crypto/timing-safe-equal-text.js';
export {
  AppError,
  type CataloguedError,
  type CredentialKind,
  ERRORS,
  type ErrorCode,
  type InputIssue,
  type RatePolicy,
  type SignInStep,
  STEP_METHODS,
  type StepMethod,
  sentenceOf,
  type UnknownPasskey,
  VERIFICATION_METHODS,
  type VerificationMethod,
  type VerificationNeed,
} from './errors.js';
export { generateBackupCodes, readBackupCode } from './factor/backup-code.js';
export { toBase32 } from './factor/base32.js';
export { readDigits } from './factor/read-digits.js';
export { generateTotpSecret, matchTotpStep, totpCode, totpStep, totpUri } from './factor/totp.js';
export {
  addressSearchKey,
  canonicalAddress,
  readableAddress,
  vouchedAddress,
} from './identity/canonical-address.js';
export { emailKey } from './identity/email-key.js';
export { emailSchema, vouchedEmailSchema } from './identity/email-schema.js';
export { isForeignAddress } from './identity/is-foreign-address.js';
export { isVisible } from './identity/is-visible.js';
export { loginNameSchema } from './identity/login-name-schema.js';
export { personNameSchema } from './identity/person-name-schema.js';
export { searchKey } from './identity/search-key.js';
export { searchTextSchema } from './identity/search-text-schema.js';
export { storableText } from './identity/storable-text.js';
export { usernameKey } from './identity/username-key.js';
export { usernameSchema } from './identity/username-schema.js';
export { mayImpersonate } from './impersonation.js';
export { accountLevelAt, requiredLevel } from './level-of-access.js';
export {
  digestOneTimePassword,
  generateOneTimePassword,
  matchesOneTimePassword,
  type OneTimePasswordContext,
} from './one-time-password.js';
export { comparePassword, type PasswordComparison } from './password/compare-password.js';
export { dummyHash } from './password/dummy-hash.js';
export { generatePassword } from './password/generate-password.js';
export { hashPassword } from './password/hash-password.js';
export { isPasswordHash } from './password/is-password-hash.js';
export { looksLikeDigest } from './password/looks-like-digest.js';
export { isListedPassword, type PasswordIssue, passwordPolicy } from './password/password-policy.js';
export { OWN_ROUNDS, passwordRounds } from './password/password-rounds.js';
export { passwordSchema } from './password/password-schema.js';
export {
  mayBePlain,
  plainPassword,
  readStoredPassword,
  type StoredPassword,
} from './password/read-stored-password.js';
export { submittedPasswordSchema } from './password/submitted-password-schema.js';
export { verifyPassword } from './password/verify-password.js';
export { wrapPasswordHash } from './password/wrap-password-hash.js';
export {
  PERMISSIONS,
  type Permission,
  STAFF_PERMISSIONS,
  type StaffPermission,
} from './permissions.js';
export { renderPermissions } from './render-permissions.js';
export {
  createRoles,
  mayChange,
  mayGive,
  outranks,
  ROLE_PERMISSIONS,
  type RoleName,
  type Roles,
  STAFF_ROLE_PERMISSIONS,
} from './roles.js';
export { type StaffAuthority, staffAuthorityChange } from './staff-authority.js';
export {
  type StoredSubscription,
  type SubscriptionNow,
  type SubscriptionState,
  subscriptionAt,
} from './subscription/subscription-at.js';
export { type BearerPayload, type OpenedBearer, openBearer, sealBearer } from './tokens/bearer.js';
export { type OpenedToken, openToken, openTokenOfKind, type TokenKindName } from './tokens/open-token.js';
export { type PartnerSignIn, sealPartnerSignIn } from './tokens/partner-sign-in.js';
export {
  type OpenedPartnerToken,
  openPartnerToken,
  type PartnerTokenPayload,
  sealPartnerToken,
} from './tokens/partner-token.js';
export { plainToken } from './tokens/plain-token.js';
export { sealToken, type TokenPayload } from './tokens/seal-token.js';
export type { SealedToken, SealOptions } from './tokens/sign-jwt.js';
export { createTokenKeys, type TokenKeys } from './tokens/token-keys.js';
export { TOKEN_LIVES_SECONDS } from './tokens/token-lives.js';
export { type TokenRefusal, TokenRefused } from './tokens/token-refused.js';
export type { TokenFacts } from './tokens/verify-jwt.js';
