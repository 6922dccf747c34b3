import { translator } from '../messages/translate.js';
import type words from './messages/en.json';

type Id = keyof typeof words;

/** Says why a call failed. */
export const t = translator<Id>();

/** Our sentences for codes of the service; the others have its own. */
const REFUSALS = {
  email_taken: 'refusal.email_taken',
  invalid_challenge: 'refusal.invalid_challenge',
  invalid_credentials: 'refusal.invalid_credentials',
  invalid_input: 'refusal.invalid_input',
  invalid_state: 'refusal.invalid_state',
  invalid_token: 'refusal.invalid_token',
  internal: 'refusal.internal',
  link_required: 'refusal.link_required',
  access_denied: 'refusal.access_denied',
  passkey_unknown: 'refusal.passkey_unknown',
  provider_failed: 'refusal.provider_failed',
  provider_not_configured: 'refusal.provider_not_configured',
  rate_limited: 'refusal.rate_limited',
  role_not_allowed: 'refusal.role_not_allowed',
  unavailable: 'refusal.unavailable',
  username_taken: 'refusal.username_taken',
  permission_denied: 'refusal.permission_denied',
  policy_excludes_you: 'refusal.policy_excludes_you',
  not_found: 'refusal.not_found',
  grace_over: 'refusal.grace_over',
  no_customer: 'refusal.no_customer',
  subscribed: 'refusal.subscribed',
  account_limit: 'refusal.account_limit',
  sole_owner: 'refusal.sole_owner',
  origin_refused: 'refusal.origin_refused',
  owner_lacks_factor: 'refusal.owner_lacks_factor',
  invitation_limit: 'refusal.invitation_limit',
  already_member: 'refusal.already_member',
  read_only: 'refusal.read_only',
  unauthorized: 'refusal.unauthorized',
  verification_required: 'refusal.verification_required',
  invitation_used: 'refusal.invitation_used',
  invitation_expired: 'refusal.invitation_expired',
  invitation_revoked: 'refusal.invitation_revoked',
  invitation_replaced: 'refusal.invitation_replaced',
  invitation_void: 'refusal.invitation_void',
  address_mismatch: 'refusal.address_mismatch',
  sign_in_required: 'refusal.sign_in_required',
  unconfirmed: 'refusal.unconfirmed',
  connection_taken: 'refusal.connection_taken',
  last_connection: 'refusal.last_connection',
  last_factor: 'refusal.last_factor',
  factor_required: 'refusal.factor_required',
  enrolment_required: 'refusal.enrolment_required',
  proof_required: 'refusal.proof_required',
  too_many_passkeys: 'refusal.too_many_passkeys',
  passkeys_not_configured: 'refusal.passkeys_not_configured',
  password_exists: 'refusal.password_exists',
  password_required: 'refusal.password_required',
  no_password: 'refusal.no_password',
  no_address: 'refusal.no_address',
  account_forbidden: 'refusal.account_forbidden',
  code_taken: 'refusal.code_taken',
  last_administrator: 'refusal.last_administrator',
  not_replayable: 'refusal.not_replayable',
  not_retryable: 'refusal.not_retryable',
  partner_taken: 'refusal.partner_taken',
  resource_taken: 'refusal.resource_taken',
  domain_taken: 'refusal.domain_taken',
  domain_not_allowed: 'refusal.domain_not_allowed',
  not_tested: 'refusal.not_tested',
  sso_required: 'refusal.sso_required',
  idp_initiated: 'refusal.idp_initiated',
  limit_reached: 'refusal.limit_reached',
  url_not_allowed: 'refusal.url_not_allowed',
  insufficient_scope: 'refusal.insufficient_scope',
  address_refused: 'refusal.address_refused',
  key_ended: 'refusal.key_ended',
  legacy_unavailable: 'refusal.legacy_unavailable',
  role_in_use: 'refusal.role_in_use',
  role_limit: 'refusal.role_limit',
  role_taken: 'refusal.role_taken',
} as const satisfies Readonly<Record<string, Id>>;

/** The codes that are about one field, if the screen has it. */
export const FIELD_OF: Readonly<Record<string, string>> = {
  username_taken: 'username',
  email_taken: 'email',
  already_member: 'email',
  partner_taken: 'name',
  resource_taken: 'origin',
  domain_taken: 'domain',
  domain_not_allowed: 'domain',
  role_taken: 'name',
  url_not_allowed: 'url',
  code_taken: 'code',
  policy_excludes_you: 'level',
  proof_required: 'emailCode',
  password_required: 'password',
  invalid_credentials: 'currentPassword',
};

/**
 * The sentences in which the service says what is wrong with a field, and ours for them. The service's sentences are in English,
 * so none of them is shown.
 */
const ISSUES: readonly (readonly [RegExp, Id])[] = [
  [/must be an https address such as/, 'issue.redirect'],
  [/must be https at a named host, http at/, 'issue.nativeRedirect'],
  [/must be (?:a URL|https)/, 'issue.url'],
  [/at least 8 characters/, 'issue.short'],
  [/at most 72 bytes/, 'issue.long'],
  [/must be an email address/, 'issue.email'],
  [/must contain letters or digits/, 'issue.letters'],
  [/invisible characters/, 'issue.invisible'],
  [/most 100 characters/, 'issue.hundred'],
  [/most 64 characters/, 'issue.sixtyFour'],
  [/code has six digits/, 'issue.digits6'],
  [/code has eight digits/, 'issue.digits8'],
  [/code has thirteen/, 'issue.backupCode'],
  [/something visible/, 'issue.letters'],
  [/tried first/, 'issue.common'],
  [/same few characters/, 'issue.repetitive'],
  [/built on the email/, 'issue.onEmail'],
  [/built on the username/, 'issue.onName'],
  [/built on the service/, 'issue.onService'],
  [/is missing|must not be empty|must have one address or more|This field is required/, 'issue.missing'],
  [/^Pairwise subjects need redirect URIs at one host/, 'issue.pairwiseHost'],
  [/^Applications that call an API learn the ids/, 'issue.pairwiseApi'],
  [/must be an address or a network/, 'issue.network'],
  [/must be an origin/, 'issue.origin'],
  [/an @ only if it is your own/, 'issue.foreignAddress'],
  [/^The staff of the service have blocked/, 'issue.blocked'],
  [/^The new owner has not confirmed/, 'issue.heirUnproven'],
  [/^The member is banned/, 'issue.banned'],
  [/^Member (?<id>\d+), who is deleted, has this address/, 'issue.addressDeleted'],
  [/^Member (?<id>\d+), who is staff, has this address/, 'issue.addressStaff'],
  [/^Member (?<id>\d+) has this address/, 'issue.addressMember'],
];

/** The fields that a person may try to guess. */
const GUESSED: ReadonlySet<string> = new Set(['password', 'code', 'ticket', 'currentPassword']);

/**
 * The service's complaint about a code, if there is a message for it.
 * @param fields the submitted fields, one of which a wrong credential belongs to
 */
export function refusalText(code: string, fields: readonly string[] = []): string | undefined {
  // Only guessable fields are counted as attempts.
  if (code === 'rate_limited' && fields.some((field) => GUESSED.has(field)))
    return t('refusal.rate_limited_attempts');
  if (code === 'invalid_credentials' && fields.includes('ticket')) return t('refusal.ticket');
  if (code === 'invalid_credentials' && fields.includes('code')) return t('refusal.code');
  if (code === 'invalid_credentials' && !fields.includes('email')) return t('refusal.password');
  return isKnown(code) ? t(REFUSALS[code]) : undefined;
}

/** What the service says about a field, in our words. */
export function issueText(said: string): string {
  for (const [pattern, id] of ISSUES) {
    const found = pattern.exec(said);
    if (found !== null) return t(id, { ...found.groups });
  }
  return t('issue.other');
}

function isKnown(code: string): code is keyof typeof REFUSALS {
  return Object.hasOwn(REFUSALS, code);
}
