import { and, eq, gt } from 'drizzle-orm';
import type { Database } from '../database.js';
import type { Tables } from '../tables/define-tables.js';
import type { SsoRunPurpose } from '../tables/sso-tables.js';

/** A test of a connection, or the content of a cross-site response. */
export type SsoRun = Tables['ssoRuns']['$inferSelect'];

export async function insertSsoRun(tx: Database, run: Omit<SsoRun, 'id'>): Promise<number> {
  return tx.insert(tx.tables.ssoRuns, run);
}

/** The run of a code of a connection, before it expires. */
export async function findSsoRun(
  db: Database,
  run: { codeKey: string; purpose: SsoRunPurpose; connectionId: number; nowMs: number },
): Promise<SsoRun | undefined> {
  const { ssoRuns } = db.tables;
  const [row] = await db
    .select()
    .from(ssoRuns)
    .where(
      and(
        eq(ssoRuns.codeKey, run.codeKey),
        eq(ssoRuns.purpose, run.purpose),
        eq(ssoRuns.connectionId, run.connectionId),
        gt(ssoRuns.expiresAtMs, run.nowMs),
      ),
    );
  return row;
}

/** A test that a member began in an account, before it expires. */
export async function findSsoTest(
  db: Database,
  test: { id: number; accountId: number; memberId: number; nowMs: number },
): Promise<SsoRun | undefined> {
  const { ssoRuns } = db.tables;
  const [row] = await db
    .select()
    .from(ssoRuns)
    .where(
      and(
        eq(ssoRuns.id, test.id),
        eq(ssoRuns.purpose, 'test'),
        eq(ssoRuns.accountId, test.accountId),
        eq(ssoRuns.memberId, test.memberId),
        gt(ssoRuns.expiresAtMs, test.nowMs),
      ),
    );
  return row;
}

/** Stores the result of a test. */
export async function setSsoRunPayload(tx: Database, id: number, payload: string): Promise<void> {
  const { ssoRuns } = tx.tables;
  await tx.write(tx.update(ssoRuns).set({ payload }).where(eq(ssoRuns.id, id)));
}
