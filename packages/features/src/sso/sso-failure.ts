import type { ErrorCode } from '@gatehouse/auth-core';

/** The checks of a sign-in by an identity provider, in this order. */
export const SSO_CHECKS = [
  'provider',
  'discovery',
  'answer',
  'token',
  'signature',
  'issuer',
  'audience',
  'recipient',
  'request',
  'times',
  'nonce',
  'subject',
  'userinfo',
  'address',
  'domain',
  'member',
  'logout',
] as const;

export type SsoCheck = (typeof SSO_CHECKS)[number];

/** Why an answer of an identity provider is refused. Its message is for the log and for tests, and has no text of the answer. */
export class SsoFailure extends Error {
  override readonly name = 'SsoFailure';
  readonly check: SsoCheck;
  readonly detail: string | undefined;
  /** What people see at the end of a sign-in. */
  readonly code: ErrorCode;

  constructor(check: SsoCheck, detail?: string, code: ErrorCode = 'provider_failed') {
    super(`single sign-on: ${check}${detail === undefined ? '' : ` (${detail})`}`);
    this.check = check;
    this.detail = detail;
    this.code = code;
  }
}
