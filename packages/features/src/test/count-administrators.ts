import { changeAccess, type Database, lockAdministrators } from '@gatehouse/db';

/** The current number of staff of base role 0. */
export async function countAdministrators(db: Database): Promise<number> {
  const administrators = await changeAccess(db, {}, (tx) =>
    lockAdministrators(tx, { turn: 'test', nowMs: Date.now() }),
  );
  return administrators.length;
}
