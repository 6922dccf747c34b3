import { AppError } from '@gatehouse/auth-core';

/** What scripts send that set the header without having an account. */
const NO_ACCOUNT = new Set(['', 'null', 'undefined']);

/**
 * The account of a call, from its `Accountid` header; null without the header, and if it names none.
 * @throws {AppError} `invalid_account` for anything else but one positive safe integer in plain digits.
 */
export function accountIdFrom(header: string | undefined): number | null {
  if (header === undefined || NO_ACCOUNT.has(header)) return null;
  const accountId = /^[1-9]\d{0,15}$/.test(header) ? Number(header) : Number.NaN;
  if (!Number.isSafeInteger(accountId)) throw new AppError('invalid_account');
  return accountId;
}
