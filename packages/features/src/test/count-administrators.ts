import { changeAccess, type Database, lockAdministrators } from '@gatehouse/db';

/** How many staff of base role 0 there are now. */
export async function countAdministrators(db: Database): Promise<number> {
  const administrators = await changeAccess(db, {}, (tx) => lockAdministrators(tx, 'test'));
  return administrators.length;
}
