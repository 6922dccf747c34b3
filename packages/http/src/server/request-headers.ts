import { randomUUID } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { AppError, parseUrl } from '@gatehouse/auth-core';

/** The values that scripts send if they set the header without an account. */
const NO_ACCOUNT = new Set(['', 'null', 'undefined']);

/**
 * The account of a call, from its `Accountid` header; null without the header, and if it names none.
 * @throws {AppError} `invalid_account` for anything except one positive safe integer in plain digits.
 */
export function accountIdFrom(header: string | undefined): number | null {
  if (header === undefined || NO_ACCOUNT.has(header)) return null;
  const accountId = /^[1-9]\d{0,15}$/.test(header) ? Number(header) : Number.NaN;
  if (!Number.isSafeInteger(accountId)) throw new AppError('invalid_account');
  return accountId;
}

/** The credentials of `Authorization: Bearer …` (RFC 6750, section 2.1), undefined without them. */
export function bearerTokenIn(header: string | undefined): string | undefined {
  return header === undefined ? undefined : /^Bearer +([^\s]+) *$/i.exec(header)?.[1];
}

/**
 * The session token in the header that carries it. In `Authorization` a value with a scheme, such as `Bearer …`, is not
 * one: clients of the replaced system send the session token there without a scheme.
 */
export function sessionTokenIn(name: string, value: string | undefined): string | undefined {
  if (value === undefined || name !== 'authorization') return value;
  return /\s/.test(value.trim()) ? undefined : value;
}

/** A header as text; repeated ones are joined by `, `. */
export function headerText(value: string | string[] | undefined): string | undefined {
  return Array.isArray(value) ? value.join(', ') : value;
}

const WELL_FORMED = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The caller's `X-Request-Id` if well formed (1 to 64 of `A-Z a-z 0-9 . _ -`), else a new UUID. */
export function requestIdFrom(header: string | undefined): string {
  return header !== undefined && WELL_FORMED.test(header) ? header : randomUUID();
}

/**
 * The path and query of a request line (RFC 9112, section 3.2); for the absolute form, the part after the
 * authority. Undefined if unreadable.
 */
export function originForm(target: string): string | undefined {
  if (target.startsWith('/') || target === '*') return target;
  if (!/^https?:\/\//i.test(target) || parseUrl(target) === undefined) return undefined;
  const rest = target.replace(/^https?:\/\/[^/?#]*/i, '');
  return rest.startsWith('/') ? rest : `/${rest}`;
}

/** Whether a body follows the headers of a request. */
export function hasBody({ headers }: Pick<IncomingMessage, 'headers'>): boolean {
  const length = headers['content-length'];
  return headers['transfer-encoding'] !== undefined || (length !== undefined && length !== '0');
}
