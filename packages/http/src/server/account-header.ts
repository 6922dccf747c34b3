import { AppError } from '@gatehouse/auth-core';

/**
 * The account of a call, from its `Accountid` header; null without the header.
 * @throws {AppError} `invalid_account` for anything but one positive safe integer in plain digits.
 */
export function accountIdFrom(header: string | undefined): number | null {
  if (header === undefined) return null;
  const accountId = /^[1-9]\d{0,15}$/.test(header) ? Number(header) : Number.NaN;
  if (!Number.isSafeInteger(accountId)) throw new AppError('invalid_account');
  return accountId;
}
