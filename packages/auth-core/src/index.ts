export { accountReach, decideAccess, staffReach } from './access.js';
export type {
  AccessDecision,
  AccessQuestion,
  AccessRefusal,
  AccessSnapshot,
  CustomRole,
  LevelFacts,
  LevelRefusal,
  RequiredLevel,
  SessionLapse,
} from './access-question.js';
export { ACCESS_FACTS, type AccessFact, type AccessLink } from './access-question.js';
export {
  accountLevelAt,
  isRootStaff,
  lacksSso,
  levelIn,
  levelRefusal,
  requiredLevel,
  staffPermissions,
} from './account-reach.js';
export { createDataCipher, type DataCipher, SealedDataRefused } from './crypto/data-cipher.js';
export { randomId, randomToken, sha256Hex, timingSafeEqualText } from './crypto/random-and-digest.js';
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
export {
  generateBackupCodes,
  generateTotpSecret,
  matchTotpStep,
  readBackupCode,
  readDigits,
  toBase32,
  totpCode,
  totpStep,
  totpUri,
} from './factor/one-time-codes.js';
export {
  addressSearchKey,
  asciiDomain,
  canonicalAddress,
  domainOfAddress,
  readableAddress,
  vouchedAddress,
} from './identity/canonical-address.js';
export { emailKey, emailSchema, isForeignAddress, vouchedEmailSchema } from './identity/email-address.js';
export { parseUrl } from './identity/parse-url.js';
export { isRedirectUri, MAX_REDIRECT_URI_LENGTH } from './identity/redirect-uri.js';
export { type SearchWord, searchWord, searchWords } from './identity/search-words.js';
export {
  isVisible,
  personNameSchema,
  searchKey,
  searchTextSchema,
  storableText,
} from './identity/text-schemas.js';
export { loginNameSchema, usernameKey, usernameSchema } from './identity/username.js';
export { mayImpersonate } from './impersonation.js';
export {
  digestOneTimePassword,
  generateOneTimePassword,
  matchesOneTimePassword,
  type OneTimePasswordContext,
} from './one-time-password.js';
export {
  type ForeignHash,
  foreignHash,
  verifyForeignHash,
} from './password/foreign/foreign-hash.js';
export type { HashJob, RunHashJob } from './password/foreign/hash-job.js';
export { readWeakDigest } from './password/foreign/weak-digest.js';
export {
  comparePassword,
  dummyHash,
  generatePassword,
  hashPassword,
  isPasswordHash,
  looksLikeDigest,
  mayBePlain,
  OWN_ROUNDS,
  type PasswordComparison,
  type PasswordCost,
  passwordCost,
  passwordRounds,
  plainPassword,
  readStoredPassword,
  type StoredPassword,
  verifyPassword,
  wrapPasswordHash,
  wrapWeakDigest,
} from './password/password-hash.js';
export {
  fitsBcrypt,
  isListedPassword,
  normalizePassword,
  type PasswordIssue,
  passwordPolicy,
  passwordSchema,
  submittedPasswordSchema,
} from './password/password-policy.js';
export {
  isProductPermission,
  isStaffPermission,
  PERMISSIONS,
  type Permission,
  type ProductPermission,
  STAFF_PERMISSIONS,
  type StaffPermission,
} from './permissions.js';
export { renderPermissions } from './render-permissions.js';
export {
  createRoles,
  mayChange,
  mayGive,
  outranks,
  type ProductPermissionRow,
  ROLE_NAMES,
  ROLE_PERMISSIONS,
  type RoleName,
  type Roles,
  STAFF_ROLE_PERMISSIONS,
} from './roles.js';
export { type StaffAuthority, staffAuthorityChange } from './staff-authority.js';
export {
  graceEndsAtMs,
  type StoredSubscription,
  type SubscriptionNow,
  type SubscriptionState,
  subscriptionAt,
} from './subscription/subscription-at.js';
export { type AccessTokenClaims, openAccessToken, signAccessToken } from './tokens/access-token.js';
export { type BearerPayload, type OpenedBearer, openBearer, sealBearer } from './tokens/bearer.js';
export type { SealedToken, SealOptions, TokenFacts } from './tokens/jwt.js';
export {
  claimsToBeOpaqueToken,
  deriveOpaqueToken,
  isOpaqueToken,
  makeOpaqueToken,
  mayHaveOpaqueToken,
} from './tokens/opaque-token.js';
export {
  type OpenedPartnerToken,
  openPartnerToken,
  type PartnerSignIn,
  type PartnerTokenPayload,
  sealPartnerSignIn,
  sealPartnerToken,
} from './tokens/partner-token.js';
export { plainToken } from './tokens/passphrase-cipher.js';
export {
  type OpenedToken,
  openToken,
  openTokenOfKind,
  sealToken,
  type TokenKindName,
  type TokenPayload,
} from './tokens/sealed-token.js';
export { createTokenKeys, type TokenKeys } from './tokens/token-keys.js';
export { TOKEN_LIVES_SECONDS } from './tokens/token-kinds.js';
export { type TokenRefusal, TokenRefused } from './tokens/token-refused.js';
export { VERSION } from './version.js';
