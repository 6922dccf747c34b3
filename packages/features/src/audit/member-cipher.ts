import { randomBytes } from 'node:crypto';
import { createDataCipher, type DataCipher, SealedDataRefused } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import {
  findNewestMemberKey,
  findOrInsertMemberKey,
  listMemberKeys,
  listStaleMemberKeys,
  setMemberKey,
} from '@gatehouse/db/queries/audit-log';
import type { Job } from '@gatehouse/runtime/jobs/job-runner';
import type { Services } from '../core/context.js';

const KEY_BYTES = 32;

/**
 * Encrypts under the key of one member, and creates the key if there is none. Without the key the data cannot
 * be decrypted.
 */
export async function memberCipher(
  tx: Database,
  { cipher, now }: Pick<Services, 'cipher' | 'now'>,
  memberId: number,
): Promise<DataCipher> {
  const context = contextOf(memberId);
  const sealed = await findOrInsertMemberKey(tx, {
    memberId,
    key: () => cipher.seal(randomBytes(KEY_BYTES).toString('base64'), context),
    nowMs: now(),
  });
  return createDataCipher({ key: cipher.open(sealed, context) });
}

/** Decrypts with the keys of these members. Members without a key are absent. */
export async function memberCiphers(
  { db, cipher }: Pick<Services, 'db' | 'cipher'>,
  memberIds: readonly number[],
): Promise<ReadonlyMap<number, DataCipher>> {
  const keys = await listMemberKeys(db, [...new Set(memberIds)]);
  return new Map(
    [...keys].map(([memberId, sealed]) => [
      memberId,
      createDataCipher({ key: cipher.open(sealed, contextOf(memberId)) }),
    ]),
  );
}

/** Whether the newest data in the database was encrypted with a key that is known here. True while there is none. */
export async function isKeyOfDatabase({ db, cipher }: Pick<Services, 'db' | 'cipher'>): Promise<boolean> {
  const newest = await findNewestMemberKey(db);
  if (newest === undefined) return true;
  try {
    cipher.open(newest.key, contextOf(newest.memberId));
    return true;
  } catch (error) {
    if (error instanceof SealedDataRefused) return false;
    throw error;
  }
}

function contextOf(memberId: number): string {
  return `memberKey:${memberId}`;
}

/** A member's key, encrypted with the current key of the deployment. */
function sealedAnew(cipher: DataCipher, memberId: number, sealed: string): string {
  const context = contextOf(memberId);
  return cipher.seal(cipher.open(sealed, context), context);
}

const AT_ONCE = 500;

/**
 * While DATA_ENCRYPTION_KEY_PREVIOUS names a key, re-encrypts the members' keys that still use it, so that it
 * can be removed.
 */
export const memberKeyResealing: Job<Services> = {
  name: 'member-key-resealing',
  everyMs: 60_000,
  restsBetweenRuns: true,
  async run({ db, cipher, config }) {
    if (config.DATA_ENCRYPTION_KEY_PREVIOUS.length === 0) return 0;
    const stale = await listStaleMemberKeys(db, { currentPrefix: cipher.currentPrefix, limit: AT_ONCE });
    for (const { memberId, key } of stale) {
      await setMemberKey(db, { memberId, expectedKey: key, key: sealedAnew(cipher, memberId, key) });
    }
    return stale.length;
  },
};

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

/** The subject of an audit line, or its actor if it has no subject. */
export function auditMember(line: {
  readonly actorId?: number | null | undefined;
  readonly onBehalfOfId?: number | null | undefined;
  readonly subjectKind?: string | null | undefined;
  readonly subjectId?: number | string | null | undefined;
}): number | undefined {
  const { actorId, onBehalfOfId, subjectKind, subjectId } = line;
  const subject = subjectKind === 'member' && subjectId !== null ? Number(subjectId) : undefined;
  return onBehalfOfId ?? subject ?? actorId ?? undefined;
}
