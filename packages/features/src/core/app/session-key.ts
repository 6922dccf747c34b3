import { sha256Hex } from '@gatehouse/auth-core';
import type { CallerSession } from './caller.js';

/** What identifies the session of a call through all its refreshed tokens, for codes and flows bound to it. */
export function sessionKey({ familyId, tokenKey }: Pick<CallerSession, 'familyId' | 'tokenKey'>): string {
  return familyId === undefined ? tokenKey : sha256Hex(`session:${familyId}`);
}
