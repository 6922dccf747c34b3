import { monitorEventLoopDelay } from 'node:perf_hooks';
import { openDatabase } from '@gatehouse/db/open-database';
import { eq, sql } from 'drizzle-orm';

/** The result of one writing process, printed as JSON on its standard output. */
export interface MixedWriterReport {
  errors: string[];
  /** Keys that both processes tried to insert, and this one did. */
  taken: string[];
  longestStallMs: number;
  elapsedMs: number;
}

const [url = '', writer = '', writes = '0', startAtMs = '0'] = process.argv.slice(2);
const db = await openDatabase(url);
const { auditLog, limits, messages, revocations } = db.tables;
await db.ping();
await new Promise((resolve) => setTimeout(resolve, Number(startAtMs) - Date.now()));

const taken: string[] = [];

/** One write of each kind that the service makes, each with a countable effect. */
const kinds = [
  async (turn: number) => {
    await db.insert(auditLog, { atMs: turn, action: 'written', requestId: `${writer}-${turn}` });
  },
  async (turn: number) => {
    const tokenKey = `contested-${turn}`;
    if (await db.insertOnce(revocations, { tokenKey, expiresAtMs: 1 })) taken.push(tokenKey);
  },
  async () => {
    await db.write(
      db
        .update(limits)
        .set({ points: sql`${limits.points} + 1` })
        .where(eq(limits.key, 'updated')),
    );
  },
  async () => {
    await db.transaction(async (tx) => {
      const mine = eq(limits.key, 'transacted');
      await tx.write(tx.update(limits).set({ expiresAtMs: 1 }).where(mine));
      const [row] = await tx.select({ points: limits.points }).from(limits).where(mine);
      await tx.write(
        tx
          .update(limits)
          .set({ points: (row?.points ?? 0) + 1 })
          .where(mine),
      );
    });
  },
  async (turn: number) => {
    const body = `${writer}-${turn}`;
    await db.insertMany(messages, [
      { conversationId: turn, memberId: 1, body, createdAtMs: turn },
      { conversationId: turn, memberId: 2, body, createdAtMs: turn },
    ]);
  },
];

const delay = monitorEventLoopDelay({ resolution: 5 });
delay.enable();
const startedMs = performance.now();
const results = await Promise.allSettled(
  Array.from({ length: Number(writes) }, async (_, turn) => kinds[turn % kinds.length]?.(turn)),
);
const report: MixedWriterReport = {
  errors: results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason)] : [])),
  taken,
  longestStallMs: Math.round(delay.max / 1e6),
  elapsedMs: Math.round(performance.now() - startedMs),
};
await db.close();
process.stdout.write(JSON.stringify(report));
