import type { DataCipher } from '@gatehouse/auth-core';

/** The fields of `before` and `after` with personal data. */
const PERSONAL: ReadonlySet<string> = new Set([
  'sid',
  'username',
  'firstName',
  'lastName',
  'email',
  'pendingEmail',
  'payoutEmail',
  // The label of a base role and reasons are typed by staff, and may contain a member's name.
  'role',
  'reason',
  'search',
]);

const CONTEXT = 'audit';

/** Whether a state has personal data. */
export function isPersonal(state: unknown): boolean {
  return personalFields(state).length > 0;
}

/** A state as the audit log stores it: personal fields are encrypted together in one field. */
export function sealState(cipher: DataCipher | undefined, state: unknown): unknown {
  if (cipher === undefined || typeof state !== 'object' || state === null) return state;
  const personal = personalFields(state);
  if (personal.length === 0) return state;
  const others = Object.entries(state).filter(([name]) => !personal.some(([sealed]) => sealed === name));
  const sealed = cipher.seal(JSON.stringify(Object.fromEntries(personal)), CONTEXT);
  return { ...Object.fromEntries(others), sealed };
}

function personalFields(state: unknown): [string, unknown][] {
  if (typeof state !== 'object' || state === null) return [];
  return Object.entries(state).filter(([name, value]) => PERSONAL.has(name) && value !== null);
}

/** The original state; without the member's key, the personal fields are missing. */
export function openState(cipher: DataCipher | undefined, state: unknown): unknown {
  if (typeof state !== 'object' || state === null || !('sealed' in state)) return state;
  const { sealed, ...others } = state;
  if (cipher === undefined || typeof sealed !== 'string') return others;
  const personal: unknown = JSON.parse(cipher.open(sealed, CONTEXT));
  return typeof personal === 'object' ? { ...others, ...personal } : others;
}

/** A caller's network address as the audit log stores it. */
export function sealAddress(cipher: DataCipher, address: string): string {
  return cipher.seal(address, CONTEXT);
}

/** Null once the key is gone. Older lines have the address in plain text. */
export function openAddress(cipher: DataCipher | undefined, address: string | null): string | null {
  if (address === null || !address.startsWith('v1.')) return address;
  return cipher === undefined ? null : cipher.open(address, CONTEXT);
}
