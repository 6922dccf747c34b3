import type { Database } from '@gatehouse/db/database';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { lockAdministrators } from '@gatehouse/db/queries/personnel';

/** The current number of staff of base role 0. */
export async function countAdministrators(db: Database): Promise<number> {
  const administrators = await changeAccess(db, {}, (tx) =>
    lockAdministrators(tx, { turn: 'test', nowMs: Date.now() }),
  );
  return administrators.length;
}
