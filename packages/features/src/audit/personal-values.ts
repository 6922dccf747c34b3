import type { DataCipher } from '@gatehouse/auth-core';

/** The fields of what was before and after that say who somebody is. */
const PERSONAL: ReadonlySet<string> = new Set([
  'sid',
  'username',
  'firstName',
  'lastName',
  'email',
  'pendingEmail',
  'payoutEmail',
]);

const CONTEXT = 'audit';

/** Whether a state says who somebody is. */
export function isPersonal(state: unknown): boolean {
  return personalFields(state).length > 0;
}

/** A state as the audit log keeps it: what says who somebody is stands sealed in one field. */
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

/** A state as it was; without the member's key what says who they are is gone. */
export function openState(cipher: DataCipher | undefined, state: unknown): unknown {
  if (typeof state !== 'object' || state === null || !('sealed' in state)) return state;
  const { sealed, ...others } = state;
  if (cipher === undefined || typeof sealed !== 'string') return others;
  const personal: unknown = JSON.parse(cipher.open(sealed, CONTEXT));
  return typeof personal === 'object' ? { ...others, ...personal } : others;
}

/** An address of a caller as the audit log keeps it. */
export function sealAddress(cipher: DataCipher, address: string): string {
  return cipher.seal(address, CONTEXT);
}

/** Null once the key is gone. Lines of before hold it in the clear. */
export function openAddress(cipher: DataCipher | undefined, address: string | null): string | null {
  if (address === null || !address.startsWith('v1.')) return address;
  return cipher === undefined ? null : cipher.open(address, CONTEXT);
}
