import { and, eq, inArray } from 'drizzle-orm';
import type { Database } from '../../database.js';
import type { AccessTransaction } from '../access/access-transaction.js';
import { baseRole } from '../access/ban-columns.js';
import { isActiveMember } from '../access/is-active-member.js';
import { ARCHIVED } from '../archived.js';

const ADMIN = 0;
const TURN = 'administrators';

/**
 * Locks the staff of base role 0 who are not banned until the transaction ends, and returns their ids. If two
 * changes would together remove the last ones, the second sees the first. The lock is a row that really
 * changes, because a cluster only notices conflicts between changes.
 * @param lock `turn` is a text nobody else writes, such as a random id
 */
export async function lockAdministrators(
  tx: AccessTransaction,
  { turn, nowMs }: { turn: string; nowMs: number },
): Promise<number[]> {
  const { leases } = tx.tables;
  const take = () => tx.write(tx.update(leases).set({ token: turn }).where(eq(leases.name, TURN)));
  if ((await take()) === 0) {
    await tx.insertOnce(leases, { name: TURN, token: turn, leaseUntilMs: 0, dueAtMs: 0 });
    await take();
  }
  return listAdministrators(tx, nowMs);
}

/** The ids of the staff of base role 0 who are not banned. */
export async function listAdministrators(db: Database, nowMs: number): Promise<number[]> {
  const { members } = db.tables;
  const rows = await db
    .select({ id: members.id })
    .from(members)
    .where(
      and(
        eq(members.isPersonnel, true),
        inArray(members.roleType, [ADMIN, ARCHIVED]),
        eq(baseRole(db.tables), ADMIN),
        isActiveMember(db.tables, nowMs),
      ),
    );
  return rows.map(({ id }) => id);
}
