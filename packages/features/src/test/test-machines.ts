import { dummyHash, makeOpaqueToken, randomId, sha256Hex } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { insertApiKey, insertMachine } from '@gatehouse/db/queries/machines';

/** A machine of an account, or of the staff. Returns its id. */
export function insertTestMachine(
  db: Database,
  { accountId, createdById }: { accountId: number | null; createdById: number },
): Promise<number> {
  return changeAccess(db, {}, (tx) =>
    insertMachine(tx, {
      accountId,
      createdById,
      name: 'Importer',
      roleType: 5,
      customRoleId: null,
      role: 'Machine',
      anonymous: `machine:${randomId()}`,
      password: dummyHash,
      nowMs: Date.now(),
    }),
  );
}

/** A key of a new machine. Returns its id. */
export async function insertTestKey(
  db: Database,
  place: { accountId: number | null; createdById: number },
): Promise<number> {
  const machineId = await insertTestMachine(db, place);
  const key = makeOpaqueToken('apiKey');
  const nowMs = Date.now();
  return changeAccess(db, { members: [machineId] }, (tx) =>
    insertApiKey(tx, {
      machineId,
      name: 'Nightly',
      start: key.slice(0, 12),
      digest: sha256Hex(key),
      scopes: [place.accountId === null ? 'audit.read' : 'account.read'],
      addresses: [],
      perMinute: 600,
      createdById: place.createdById,
      createdAtMs: nowMs,
      expiresAtMs: nowMs + 86_400_000,
      noticeAtMs: null,
    }),
  );
}
