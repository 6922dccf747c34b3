import { randomBytes } from 'node:crypto';
import { createDataCipher, type DataCipher } from '@gatehouse/auth-core';
import { type Database, findOrInsertMemberKey, listMemberKeys } from '@gatehouse/db';
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

function contextOf(memberId: number): string {
  return `memberKey:${memberId}`;
}

/** A member's key, encrypted with the current key of the deployment. */
export function sealedAnew(cipher: DataCipher, memberId: number, sealed: string): string {
  const context = contextOf(memberId);
  return cipher.seal(cipher.open(sealed, context), context);
}
