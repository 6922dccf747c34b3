import { makeOpaqueToken, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertScimToken } from '@gatehouse/db/queries/scim-tokens';

/** A token of the directory of an account. */
export async function insertTestScimToken(
  db: Database,
  { accountId, createdById }: { accountId: number; createdById: number },
): Promise<{ readonly id: number; readonly token: string }> {
  const token = makeOpaqueToken('scimToken');
  const nowMs = Date.now();
  const id = await changeAccess(db, {}, (tx) =>
    insertScimToken(tx, {
      accountId,
      name: 'Directory',
      lastFour: token.slice(-4),
      digest: sha256Hex(token),
      createdById,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + 30 * 86_400_000,
      noticeAtMs: null,
    }),
  );
  return { id, token };
}
