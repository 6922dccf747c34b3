/** The public part of an error, as in RFC 9457: a status and a sentence for each code. */
export interface CataloguedError {
  readonly status: number;
  readonly message: string;
}

/** Every error code of the service. The sentence is public; details are only logged. */
export const ERRORS = {
  invalid_input: { status: 400, message: 'The request is not valid.' },
  invalid_account: { status: 400, message: 'The Accountid header must be one positive whole number.' },
  invalid_apptype: {
    status: 400,
    message: 'The Apptype header must be the base64 form of an application type.',
  },
  account_required: { status: 400, message: 'Select an account first, with the Accountid header.' },
  invalid_signature: { status: 400, message: 'The signature does not match.' },
  url_not_allowed: {
    status: 400,
    message: 'This address cannot be used. It must be a public https address that resolves now.',
  },
  domain_not_allowed: {
    status: 400,
    message: 'This domain cannot be verified: it is a public suffix, or its mailboxes are open to anybody.',
  },
  invalid_cursor: { status: 400, message: 'This cursor is not one of this feed.' },
  invalid_state: {
    status: 400,
    message: 'This sign-in was not started here, or it took too long. Please start again.',
  },
  unauthorized: { status: 401, message: 'Sign in to continue.' },
  invalid_credentials: { status: 401, message: 'The email or the password is wrong.' },
  passkey_unknown: { status: 401, message: 'This passkey is no longer registered.' },
  second_factor_required: { status: 401, message: 'A second factor is required to sign in.' },
  invalid_partner_token: { status: 401, message: 'A valid partner token is required.' },
  subscription_required: { status: 402, message: 'This requires a subscription. Please choose a plan.' },
  bearer_refused: { status: 403, message: 'A valid bearer token is required.' },
  role_not_allowed: { status: 403, message: 'This role cannot sign in here.' },
  invalid_token: { status: 403, message: 'This link or token is no longer valid.' },
  account_forbidden: { status: 403, message: 'You have no access to this account.' },
  permission_denied: { status: 403, message: 'You are not permitted to do this.' },
  insufficient_scope: { status: 403, message: 'The scopes of this key or token do not permit this.' },
  address_refused: { status: 403, message: 'This key cannot be used from this address.' },
  verification_required: { status: 403, message: 'Confirm that it is you, then try again.' },
  invalid_challenge: {
    status: 403,
    message: 'This sign-in took too long, or was started elsewhere. Please start again.',
  },
  proof_required: { status: 403, message: 'Request a code by email, and send it with this request.' },
  enrolment_required: { status: 403, message: 'Set up a second factor first.' },
  password_required: {
    status: 403,
    message: 'Also send the password or a code of the second factor, or sign in first.',
  },
  unconfirmed: {
    status: 403,
    message: 'Confirm the email address first: sign in with an email code, or reset the password.',
  },
  sso_required: {
    status: 403,
    message: 'This account requires sign-in through the identity provider of the company.',
  },
  idp_initiated: {
    status: 403,
    message: 'This sign-in was started at the identity provider. Start it here instead.',
  },
  origin_refused: { status: 403, message: 'Requests from this page are not accepted.' },
  read_only: { status: 403, message: 'This session is read-only.' },
  access_denied: { status: 403, message: 'The provider reports that access was not granted.' },
  not_found: { status: 404, message: 'Not found, or you have no access.' },
  passkeys_not_configured: { status: 404, message: 'Passkeys are not configured.' },
  provider_not_configured: { status: 404, message: 'This provider is not configured.' },
  method_not_allowed: { status: 405, message: 'This path does not support this method.' },
  username_taken: { status: 409, message: 'This username is taken.' },
  email_taken: { status: 409, message: 'This email address is taken.' },
  connection_taken: { status: 409, message: 'This profile is connected to another member.' },
  partner_taken: { status: 409, message: 'A partner has this name.' },
  resource_taken: { status: 409, message: 'Another API has this origin.' },
  domain_taken: { status: 409, message: 'Another account has verified this domain.' },
  not_tested: { status: 409, message: 'Test this configuration first. Each change needs a new test.' },
  code_taken: { status: 409, message: 'This code is taken.' },
  link_required: {
    status: 409,
    message: 'A member with this address exists. Sign in, then connect the provider.',
  },
  last_connection: {
    status: 409,
    message: 'This is the only way to sign in. Add an email address or another provider first.',
  },
  last_factor: {
    status: 409,
    message: 'This is the last second factor. Turn off two-step sign-in or add another factor first.',
  },
  factor_required: { status: 409, message: 'A policy requires this factor. Add another first.' },
  policy_excludes_you: {
    status: 409,
    message:
      'This policy would lock you out. Verify at that level first, or let it take effect in 7 days or later.',
  },
  too_many_passkeys: { status: 409, message: 'The maximum number of passkeys is reached.' },
  last_administrator: { status: 409, message: 'The last staff administrator cannot be removed.' },
  sole_owner: { status: 409, message: 'An account needs an owner. Transfer the ownership first.' },
  owner_lacks_factor: {
    status: 409,
    message: 'The new owner first needs a second factor of the level that the account requires.',
  },
  key_ended: { status: 409, message: 'This key has expired, was revoked, or was already replaced.' },
  account_limit: { status: 409, message: 'This owner has reached the maximum number of accounts.' },
  subscribed: { status: 409, message: 'A subscription is still running.' },
  grace_over: { status: 409, message: 'The time to restore this is over.' },
  limit_reached: { status: 409, message: 'The maximum number is reached. Remove one first.' },
  role_limit: { status: 409, message: 'This account has reached the maximum number of roles.' },
  role_taken: { status: 409, message: 'This account already has a role with this name.' },
  role_in_use: { status: 409, message: 'A member has this role, or an invitation offers it.' },
  already_member: { status: 409, message: 'This person is already a member of the account.' },
  invitation_limit: { status: 409, message: 'The maximum number of open invitations is reached.' },
  invitation_used: { status: 409, message: 'This invitation has already been answered.' },
  invitation_expired: { status: 409, message: 'This invitation has expired.' },
  invitation_revoked: { status: 409, message: 'This invitation was revoked.' },
  invitation_replaced: { status: 409, message: 'A newer email has the link of this invitation.' },
  invitation_void: { status: 409, message: 'The sender of this invitation can no longer invite people.' },
  address_mismatch: { status: 409, message: 'This invitation is for another email address.' },
  sign_in_required: { status: 409, message: 'A member with this address exists. Sign in, then accept.' },
  password_exists: { status: 409, message: 'A password is already set.' },
  no_password: { status: 409, message: 'No password is set yet.' },
  no_address: { status: 409, message: 'There is no email address yet.' },
  no_customer: { status: 409, message: 'Nothing has been paid here yet.' },
  not_retryable: { status: 409, message: 'This email cannot be sent again.' },
  not_replayable: { status: 409, message: 'This delivery cannot be replayed.' },
  cursor_expired: {
    status: 410,
    message: 'The events after this cursor are no longer kept. Begin again without one.',
  },
  payload_too_large: { status: 413, message: 'The request is too large.' },
  unsupported_media_type: { status: 415, message: 'Send the body as application/json, uncompressed.' },
  rate_limited: { status: 429, message: 'Too many attempts. Please wait before trying again.' },
  internal: { status: 500, message: 'Something went wrong on our side.' },
  analysis_failed: { status: 500, message: 'The analysis could not be completed.' },
  provider_failed: { status: 502, message: 'The provider did not answer as expected. Please try again.' },
  unavailable: { status: 503, message: 'The service is busy. Please try again in a moment.' },
  legacy_unavailable: {
    status: 503,
    message: 'This password cannot be checked right now. Please try again in a few minutes.',
  },
} as const satisfies Record<string, CataloguedError>;

export type ErrorCode = keyof typeof ERRORS;

/** The sentences of `invalid_credentials`, by kind of credential. */
const CREDENTIALS = {
  emailAndPassword: ERRORS.invalid_credentials.message,
  currentPassword: 'The current password is wrong.',
  oneTimePassword: 'The email or the one-time password is wrong.',
  partnerSecret: 'The partner or its secret is wrong.',
  password: 'The password is wrong.',
  code: 'The code is wrong or was already used.',
  passkey: 'The passkey was not accepted.',
} as const;

/** The kind of credential that was sent. */
export type CredentialKind = keyof typeof CREDENTIALS;

/** The public sentence of a code; that of `invalid_credentials` depends on the credential. */
export function sentenceOf(code: ErrorCode, sent?: CredentialKind): string {
  return sent === undefined ? ERRORS[code].message : CREDENTIALS[sent];
}

/** One problem of an input; `path` looks like `memberships.0.roleType`. */
export interface InputIssue {
  readonly path: string;
  readonly message: string;
}

/** The ways to take the second step of a sign-in. */
export const STEP_METHODS = ['passkey', 'totp', 'email', 'backupCode'] as const;

export type StepMethod = (typeof STEP_METHODS)[number];

/** The ways in which callers show again who they are. */
export const VERIFICATION_METHODS = ['password', ...STEP_METHODS] as const;

export type VerificationMethod = (typeof VERIFICATION_METHODS)[number];

/** The authentication a caller must still provide (RFC 9470). */
export interface VerificationNeed {
  readonly level: number;
  readonly maxAgeSeconds: number;
  readonly methods: readonly VerificationMethod[];
}

/** The second step that a sign-in still requires. The challenge is absent if the client cannot continue. */
export interface SignInStep {
  readonly challenge: string;
  readonly methods: readonly StepMethod[];
  readonly expiresAt: string;
  /** Until when no code is mailed because of a reset. */
  readonly emailWithheldUntil?: string;
}

/** The passkey that a client should forget (WebAuthn Level 3, signalUnknownCredential). */
export interface UnknownPasskey {
  readonly rpId: string;
  readonly credentialId: string;
}

/** A rate limit as the RateLimit-Policy header states it (draft-ietf-httpapi-ratelimit-headers). */
export interface RatePolicy {
  readonly name: string;
  readonly quota: number;
  readonly windowSeconds: number;
}

/**
 * The one error a procedure throws on purpose. Its message is public: the catalogue's, or for
 * `invalid_credentials` the one for `sent`. `detail` and `cause` are for the log and never leave the process.
 */
export class AppError extends Error {
  override readonly name = 'AppError';
  readonly code: ErrorCode;
  readonly status: number;
  readonly detail: string | undefined;
  readonly issues: readonly InputIssue[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly policy: RatePolicy | undefined;
  readonly verification: VerificationNeed | undefined;
  readonly step: SignInStep | undefined;
  readonly signals: UnknownPasskey | undefined;
  /** The flow of a mail sent to the caller: `signIn.email` takes it with the code or token of the mail. */
  readonly flow: string | undefined;
  /** Where the browser begins the sign-in that an account requires, for `sso_required`. */
  readonly startUrl: string | undefined;

  constructor(
    code: ErrorCode,
    options: {
      detail?: string;
      sent?: CredentialKind | undefined;
      issues?: readonly InputIssue[];
      cause?: unknown;
      retryAfterSeconds?: number;
      policy?: RatePolicy;
      verification?: VerificationNeed;
      step?: SignInStep;
      signals?: UnknownPasskey;
      flow?: string;
      startUrl?: string;
    } = {},
  ) {
    super(sentenceOf(code, options.sent), 'cause' in options ? { cause: options.cause } : undefined);
    this.code = code;
    this.status = ERRORS[code].status;
    this.detail = options.detail;
    this.issues = options.issues;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.policy = options.policy;
    this.verification = options.verification;
    this.step = options.step;
    this.signals = options.signals;
    this.flow = options.flow;
    this.startUrl = options.startUrl;
  }
}
