import { and, eq, gt } from 'drizzle-orm';
import type { Database } from '../../database.js';
import { given, prepareRead } from '../prepared.js';

type Origin = { memberId: number; originKey: string; sinceMs: number };

const find = prepareRead<{ id: number }, Origin>((db) => {
  const { loginFamiliarity } = db.tables;
  const { id, memberId, originKey, lastSuccessAtMs } = loginFamiliarity;
  return db
    .select({ id })
    .from(loginFamiliarity)
    .where(
      and(
        eq(memberId, given(memberId, 'memberId')),
        eq(originKey, given(originKey, 'originKey')),
        gt(lastSuccessAtMs, given(lastSuccessAtMs, 'sinceMs')),
      ),
    );
});

/** Whether a member signed in from this place since a moment. */
export async function isFamiliarOrigin(db: Database, origin: Origin): Promise<boolean> {
  return (await find(db, origin)).length > 0;
}
