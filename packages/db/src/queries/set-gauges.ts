import { and, count, eq, gt, gte, like, min, or } from 'drizzle-orm';
import type { Database } from '../database.js';
import { DuplicateKeyError } from '../database-errors.js';
import type { GaugeName } from '../tables/operation-tables.js';
import { countMailBacklog } from './mail-queue.js';
import { listMembershipRowsOf } from './memberships.js';
import { countWebhookBacklog } from './process-webhooks.js';
import { WHOLE_SERVICE } from './statistic-counters.js';

/** How many members are asked for their accounts at once. */
const MEMBERS_AT_ONCE = 500;

interface Gauge {
  accountId: number;
  name: GaugeName;
  count: number;
  oldestAtMs: number | null;
}

/**
 * Counts the current number of something: members who must wait after wrong passwords in a row, mails and webhooks that still
 * wait. False if another node did so less than `everyMs` ago.
 * @param locks the prefix of members' counters, the fewest failures that make a member wait, and those that lock
 */
export async function setGauges(
  db: Database,
  locks: { prefix: string; fewest: number; most: number },
  { nowMs, everyMs }: { nowMs: number; everyMs: number },
): Promise<boolean> {
  const { statisticGauges } = db.tables;
  const { accountId, name, atMs } = statisticGauges;
  const [last] = await db
    .select({ atMs })
    .from(statisticGauges)
    .where(and(eq(accountId, WHOLE_SERVICE), eq(name, 'mails')));
  if (last && nowMs - last.atMs < everyMs && nowMs >= last.atMs) return false;
  const gauges = [...(await countLocked(db, locks, nowMs)), ...(await countWaiting(db))];
  try {
    await db.transaction(async (tx) => {
      await tx.write(tx.delete(statisticGauges).where(gte(accountId, WHOLE_SERVICE)));
      await tx.insertMany(
        statisticGauges,
        gauges.map((gauge) => ({ ...gauge, atMs: nowMs })),
      );
    });
  } catch (error) {
    // Another node wrote the first gauges at the same moment.
    if (error instanceof DuplicateKeyError) return false;
    throw error;
  }
  return true;
}

async function countLocked(
  db: Database,
  { prefix, fewest, most }: { prefix: string; fewest: number; most: number },
  nowMs: number,
): Promise<Gauge[]> {
  const { holder, origin, failures, waitUntilMs } = db.tables.loginFailures;
  const rows = await db
    .select({ holder })
    .from(db.tables.loginFailures)
    .where(
      and(
        gte(failures, fewest),
        like(holder, `${prefix}%`),
        eq(origin, ''),
        or(gte(failures, most), gt(waitUntilMs, nowMs)),
      ),
    );
  const memberIds = rows.map((row) => Number(row.holder.slice(prefix.length)));
  const perAccount = new Map<number, number>();
  for (let from = 0; from < memberIds.length; from += MEMBERS_AT_ONCE)
    for (const { accountId } of await listMembershipRowsOf(db, memberIds.slice(from, from + MEMBERS_AT_ONCE)))
      perAccount.set(accountId, (perAccount.get(accountId) ?? 0) + 1);
  return [[WHOLE_SERVICE, memberIds.length] as const, ...perAccount].map(([accountId, locked]) => ({
    accountId,
    name: 'locked',
    count: locked,
    oldestAtMs: null,
  }));
}

/** There is no way to know to which account a delivery will be applied. */
async function countWaiting(db: Database): Promise<Gauge[]> {
  const { mailOutbox, memberships } = db.tables;
  const mails = await countMailBacklog(db);
  const webhooks = await countWebhookBacklog(db);
  const perAccount = await db
    .select({
      accountId: memberships.accountId,
      count: count(),
      oldestAtMs: min(mailOutbox.createdAtMs),
    })
    .from(mailOutbox)
    .innerJoin(memberships, eq(memberships.memberId, mailOutbox.memberId))
    .where(
      and(eq(mailOutbox.state, 'pending'), eq(memberships.isDeleted, false), eq(memberships.active, true)),
    )
    .groupBy(memberships.accountId);
  const whole = { accountId: WHOLE_SERVICE };
  return [
    { ...whole, name: 'mails', count: mails.waiting, oldestAtMs: mails.oldestCreatedAtMs },
    { ...whole, name: 'webhooks', count: webhooks.waiting, oldestAtMs: webhooks.oldestReceivedAtMs },
    ...perAccount.map((row) => ({ name: 'mails' as const, ...row })),
  ];
}
