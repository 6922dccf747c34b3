import { randomId, searchKey } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { createRandomNumbers, type LoadPlan, madeUpAccountName } from './load-plan.js';

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

/** The number of members with a history: sign-ins, including refused ones, mails and sessions. */
const MEMBERS = 100;

const SIGN_INS = 60;

const MAILS = 60;

const SESSIONS = 20;

const HOUR_MS = 3_600_000;

/** Gives the first members of a load the data that staff look at. The statistics count none of it. */
export async function writeHistories(
  db: Database,
  plan: LoadPlan,
  { nowMs }: { nowMs: number },
): Promise<void> {
  const { mailOutbox, securityEvents, sessions } = db.tables;
  const numbers = (count: number) => Array.from({ length: count }, (_, number) => number);
  for (const member of numbers(Math.min(MEMBERS, plan.members))) {
    const memberId = plan.firstMemberId + member;
    const device = 'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/141.0.0.0 Safari/537.36';
    await db.transaction(async (tx) => {
      await tx.insertMany(
        securityEvents,
        numbers(SIGN_INS).map((number) => ({
          memberId,
          atMs: nowMs - number * HOUR_MS,
          kind: 'login',
          outcome: number % 5 === 0 ? ('failed' as const) : ('ok' as const),
          address: `198.51.100.${number}`,
          device,
          isCounted: true,
          countedTimes: 1,
        })),
      );
      await tx.insertMany(
        mailOutbox,
        numbers(MAILS).map((number) => ({
          idempotencyKey: randomId(),
          kind: 'activation',
          memberId,
          recipient: `made.up${memberId}@load.test`,
          subject: 'A made-up mail',
          text: '',
          html: '',
          state: 'sent' as const,
          attempts: 1,
          dueAtMs: nowMs - number * HOUR_MS,
          createdAtMs: nowMs - number * HOUR_MS,
          sentAtMs: nowMs - number * HOUR_MS,
        })),
      );
      await tx.insertMany(
        sessions,
        numbers(SESSIONS).map((number) => ({
          tokenKey: randomId(32),
          memberId,
          kind: 'session' as const,
          epoch: 0,
          device,
          address: `198.51.100.${number}`,
          createdAtMs: nowMs - number * HOUR_MS,
          isCounted: true,
          lastSeenAtMs: nowMs - number * HOUR_MS,
          expiresAtMs: nowMs + 30 * 24 * HOUR_MS,
        })),
      );
    });
  }
}
