import { changeAccess, type Database, holdAdministrators } from '@gatehouse/db';

/** How many staff of base role 0 there are now. */
export async function countAdministrators(db: Database): Promise<number> {
  const administrators = await changeAccess(db, {}, (tx) => holdAdministrators(tx, 'test'));
  return administrators.length;
}
