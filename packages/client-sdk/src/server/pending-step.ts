import type { SecondFactorRequired } from '../errors.js';
import type { Cookie } from './server-cookies.js';

/** A sign-in that waits for its second step. */
export interface PendingStep {
  readonly challenge: string;
  /** The ways to take the step: `passkey`, `totp`, `backupCode`, `email`. */
  readonly methods: readonly string[];
  /** When the challenge ends, as an ISO 8601 instant. */
  readonly expiresAt: string;
}

const KEPT = /^([\w-]{1,100})\.(\d{1,15})\.([\w.]{0,100})$/;

/** The pending second step, if the same browser began it. */
export function readStep(cookie: Cookie): PendingStep | null {
  const [, challenge = '', expiresAtMs, methods = ''] = KEPT.exec(cookie.read() ?? '') ?? [];
  if (expiresAtMs === undefined || Number(expiresAtMs) <= Date.now()) return null;
  return { challenge, methods: methods.split('.'), expiresAt: new Date(Number(expiresAtMs)).toISOString() };
}

export function keepStep(cookie: Cookie, { data }: SecondFactorRequired): void {
  const { challenge, methods, expiresAt } = data;
  const expiresAtMs = Date.parse(expiresAt);
  const seconds = Math.max(0, Math.ceil((expiresAtMs - Date.now()) / 1000));
  cookie.write(`${challenge}.${expiresAtMs}.${methods.join('.')}`, seconds);
}
