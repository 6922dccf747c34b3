import type { Database } from '@gatehouse/db';
import { type LoadPlan, peopleOfLargestAccount } from './load-plan.js';

const ROWS_AT_ONCE = 5_000;
/**
 * The numbers of other participants, used in turn: conversations of a large account have two to five
 * participants.
 */
const OTHERS = [1, 3, 2, 4];

/** Gives the largest account many conversations among its members, and its oldest ones very many messages. */
export async function writeCrowd(
  db: Database,
  plan: LoadPlan,
  { nowMs, wrote }: { nowMs: number; wrote: (rows: number) => void },
): Promise<void> {
  const { conversations, participants, messages } = db.tables;
  const rowsFor = (conversationId: number, memberIds: readonly number[]) =>
    memberIds.map((memberId) => ({ conversationId, memberId, joinedAtMs: nowMs }));
  for (const numbers of batches(plan.manyConversations)) {
    const rows = numbers.map((number) => ({
      id: plan.firstConversationId + plan.accounts + number,
      accountId: plan.firstAccountId,
      subjectId: plan.firstSubjectId,
      title: `Question ${number + 1}`,
      createdAtMs: nowMs,
      lastMessageAtMs: nowMs,
    }));
    await db.insertMany(conversations, rows);
    await db.insertMany(
      participants,
      rows.flatMap(({ id }) => rowsFor(id, peopleIn(plan, id))),
    );
    wrote(numbers.length);
  }
  const conversationId = plan.firstConversationId;
  const people = peopleIn(plan, conversationId);
  await db.insertMany(participants, rowsFor(conversationId, people.slice(1)));
  for (const numbers of batches(plan.manyMessages)) {
    await db.insertMany(
      messages,
      numbers.map((number) => ({
        conversationId,
        memberId: people[number % people.length] ?? plan.firstMemberId,
        body: `Note ${number + 1} of a very long conversation.`,
        createdAtMs: nowMs,
      })),
    );
    wrote(numbers.length);
  }
}

/** The owner of the largest account, and one to four more of its members. */
function peopleIn(plan: LoadPlan, conversationId: number): number[] {
  const others = OTHERS[conversationId % OTHERS.length] ?? 1;
  return peopleOfLargestAccount(plan, { seat: conversationId * 5, others });
}

function* batches(count: number): Generator<number[]> {
  for (let from = 0; from < count; from += ROWS_AT_ONCE) {
    yield Array.from({ length: Math.min(ROWS_AT_ONCE, count - from) }, (_, row) => from + row);
  }
}
