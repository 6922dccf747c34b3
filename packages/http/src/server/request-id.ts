import { randomUUID } from 'node:crypto';

const WELL_FORMED = /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/;

/** The caller's `X-Request-Id` if well formed (1 to 64 of `A-Z a-z 0-9 . _ -`), else a new UUID. */
export function requestIdFrom(header: string | undefined): string {
  return header !== undefined && WELL_FORMED.test(header) ? header : randomUUID();
}
