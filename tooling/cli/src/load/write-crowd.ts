import type { Database } from '@gatehouse/db';
import type { LoadPlan } from './load-plan.js';

const ROWS_AT_ONCE = 5_000;

/** Gives the largest account its many conversations, and the oldest conversation of it very many messages. */
export async function writeCrowd(
  db: Database,
  plan: LoadPlan,
  { nowMs, wrote }: { nowMs: number; wrote: (rows: number) => void },
): Promise<void> {
  const { conversations, participants, messages } = db.tables;
  const memberId = plan.firstMemberId;
  for (const numbers of batches(plan.manyConversations)) {
    const rows = numbers.map((number) => ({
      id: plan.firstConversationId + plan.accounts + number,
      accountId: plan.firstAccountId,
      title: `Question ${number + 1}`,
      createdAtMs: nowMs,
    }));
    await db.insertMany(conversations, rows);
    await db.insertMany(
      participants,
      rows.map(({ id: conversationId }) => ({ conversationId, memberId, joinedAtMs: nowMs })),
    );
    wrote(numbers.length);
  }
  for (const numbers of batches(plan.manyMessages)) {
    await db.insertMany(
      messages,
      numbers.map((number) => ({
        conversationId: plan.firstConversationId,
        memberId,
        body: `Note ${number + 1} of a very long conversation.`,
        createdAtMs: nowMs,
      })),
    );
    wrote(numbers.length);
  }
}

function* batches(count: number): Generator<number[]> {
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    yield Array.from({ length: Math.min(ROWS_AT_ONCE, count - from) }, (_, row) => from + row);
  }
}
