import { searchKey } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db';
import type { LoadPlan } from './load-plan.js';
import { madeUpAccountName } from './made-up-person.js';
import { createRandomNumbers } from './random-numbers.js';

const ROWS_AT_ONCE = 5_000;
const TRIAL_MS = 14 * 86_400_000;
const PHRASES = [
  'Can we move the meeting to the afternoon?',
  'Yes, half past three suits everybody.',
  'Good. I will bring the figures of last month.',
] as const;

/** Writes the accounts of a load, each with a trial, one subject and one conversation of three messages. */
export async function writeAccounts(
  db: Database,
  plan: LoadPlan,
  { nowMs, wrote }: { nowMs: number; wrote: (accounts: number) => void },
): Promise<void> {
  const random = createRandomNumbers(2);
  const { tables } = db;
  const createdAtMs = nowMs;
  const written = { createdAtMs, updatedAtMs: nowMs };

  for (let from = 0; from < plan.accounts; from += ROWS_AT_ONCE) {
    const numbers = Array.from(
      { length: Math.min(ROWS_AT_ONCE, plan.accounts - from) },
      (_, row) => from + row,
    );
    const ids = numbers.map((number) => ({
      accountId: plan.firstAccountId + number,
      ownerId: plan.firstMemberId + number,
      subjectId: plan.firstSubjectId + number,
      conversationId: plan.firstConversationId + number,
    }));
    await db.insertMany(
      tables.accounts,
      ids.map(({ accountId: id, ownerId }) => {
        const name = madeUpAccountName(random);
        return { id, name, nameKey: searchKey(name), ownerId, ...written };
      }),
    );
    await db.insertMany(
      tables.subscriptions,
      ids.map(({ accountId }) => ({
        accountId,
        state: 'trialing' as const,
        trialEndsAtMs: nowMs + TRIAL_MS,
        ...written,
      })),
    );
    await db.insertMany(
      tables.subjects,
      ids.map(({ subjectId: id, accountId }) => ({ id, accountId, name: 'Everyday matters', createdAtMs })),
    );
    await db.insertMany(
      tables.conversations,
      ids.map(({ conversationId: id, accountId, subjectId }) => ({
        id,
        accountId,
        subjectId,
        title: 'The weekly meeting',
        createdAtMs,
        lastMessageAtMs: nowMs,
      })),
    );
    await db.insertMany(
      tables.participants,
      ids.map(({ conversationId, ownerId: memberId }) => ({ conversationId, memberId, joinedAtMs: nowMs })),
    );
    await db.insertMany(
      tables.messages,
      ids.flatMap(({ conversationId, ownerId: memberId }) =>
        PHRASES.map((body) => ({ conversationId, memberId, body, createdAtMs })),
      ),
    );
    wrote(numbers.length);
  }
}
