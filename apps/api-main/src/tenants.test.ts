import type { Database } from '@gatehouse/db/database';
import { settleAccessChanges } from '@gatehouse/db/queries/settle-access-changes';
import { readingCalls } from '@gatehouse/features/test/reading-calls';
import { tokenOf } from '@gatehouse/features/test/token-of';
import {
  callBatch,
  callRest,
  callTrpc,
  type TransportCall,
  type Verdict,
} from '@gatehouse/features/test/transport-call';
import { type RunningService, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from './app.js';

const dialect = inject('dialect');
const start = () => startService(createApp, { dialect, application: 'web' });

/** Three tenants of the demonstration; member 3 works in accounts 1 and 2. */
const TENANTS = [
  { accountId: 1, memberId: 4, visible: [3, 4, 5, 6, 7, 10, 11] },
  { accountId: 2, memberId: 8, visible: [3, 8] },
  { accountId: 3, memberId: 9, visible: [9] },
] as const;

type Tenant = (typeof TENANTS)[number];

const WILDCARDS = ['%', '_', '\\', '!', '', ' ', '%%', '%_%', '\\%', "'", '"', '.', 'a', 'o', 'é', '日'];

interface Own {
  readonly conversations: readonly number[];
  readonly subjects: readonly number[];
  /** The participants of the first conversation. */
  readonly messages: readonly number[];
}

async function ownOf(db: Database, { accountId }: Tenant): Promise<Own> {
  const { conversations, subjects, messages } = db.tables;
  const inAccount = (rows: { id: number; accountId: number }[]) =>
    rows.filter((row) => row.accountId === accountId).map(({ id }) => id);
  const ownConversations = inAccount(
    await db.select({ id: conversations.id, accountId: conversations.accountId }).from(conversations),
  );
  const lines = await db.select().from(messages);
  return {
    conversations: ownConversations,
    subjects: inAccount(await db.select({ id: subjects.id, accountId: subjects.accountId }).from(subjects)),
    messages: lines.filter((line) => line.conversationId === ownConversations[0]).map(({ id }) => id),
  };
}

/** Every row of every table, except those of a request's own session and limits. */
async function everythingIn(db: Database): Promise<string> {
  const tables = await Promise.all(
    Object.entries(db.tables).map(async ([name, table]) => [name, await db.select().from(table)]),
  );
  return JSON.stringify(tables);
}

function idsOf(verdict: Verdict): number[] {
  if (!('fields' in verdict)) throw new Error(`refused: ${verdict.code}`);
  const { data } = verdict.fields as { data: { id: number }[] };
  return data.map(({ id }) => id);
}

function subjectRemoval(subjectId: number): TransportCall {
  return {
    procedure: 'subject.remove',
    type: 'mutation',
    input: { subjectId },
    path: '/RemoveSubject',
    body: { subjectId },
  };
}

describe.each(TENANTS)('the tenant of account $accountId', (tenant) => {
  const { memberId, accountId, visible } = tenant;
  const others = TENANTS.filter((each) => each !== tenant);

  it('gets 403 or 404 for every id of another account, over both transports, and changes nothing', async () => {
    await using service = await start();
    const token = await tokenOf(service, memberId);
    const { conversations } = await ownOf(service.database, tenant);
    // Without this the service would do it during the test.
    await settleAccessChanges(service.database);
    const before = await everythingIn(service.database);
    const attempts: { accountId: number; call: TransportCall }[] = [];
    for (const other of others) {
      const theirs = await ownOf(service.database, other);
      const foreign = other.visible.filter((id) => !visible.some((own) => own === id));
      const own = { memberId, conversationId: conversations[0] ?? 0 };
      const calls = [
        ...foreign.flatMap((id) => [
          readingCalls.memberDetail(id),
          readingCalls.messages({ ...own, memberId: id }),
        ]),
        ...theirs.conversations.map((conversationId) => readingCalls.messages({ memberId, conversationId })),
        ...theirs.subjects.map(subjectRemoval),
      ];
      const inTheirs = [
        readingCalls.members(),
        readingCalls.memberSearch(''),
        readingCalls.accountSearch(''),
        readingCalls.conversations(),
        readingCalls.memberDetail(memberId),
        ...theirs.conversations.map((conversationId) => readingCalls.messages({ memberId, conversationId })),
        ...theirs.subjects.map(subjectRemoval),
      ];
      attempts.push(
        ...calls.map((call) => ({ accountId, call })),
        ...[...calls, ...inTheirs].map((call) => ({ accountId: other.accountId, call })),
      );
    }
    for (const { call, ...header } of attempts) {
      const rest = await callRest(service, { token, ...header }, call);
      expect([403, 404], `${call.path} ${JSON.stringify(call.input)}`).toContain(rest.status);
      expect(await callTrpc(service, { token, ...header }, call)).toEqual(rest);
    }
    expect(await everythingIn(service.database)).toBe(before);
  });

  it('sees nothing of another account through its cursors', async () => {
    await using service = await start();
    const token = await tokenOf(service, memberId);
    const root = await tokenOf(service, 1);
    const { conversations, messages } = await ownOf(service.database, tenant);
    const own = [visible, visible, visible, [accountId], conversations, messages];
    const conversationId = conversations[0] ?? 0;
    for (const other of [undefined, ...others]) {
      for (const cursor of await cursorsOf(service, { token: root, accountId: other?.accountId })) {
        const calls = [
          readingCalls.members({ cursor }),
          readingCalls.memberSearch('', { cursor }),
          readingCalls.memberSearch('a', { cursor }),
          readingCalls.accountSearch('', { cursor }),
          readingCalls.conversations({ cursor }),
          readingCalls.messages({ memberId, conversationId, cursor }),
        ];
        const answers = await callBatch(service, { token, accountId }, calls);
        for (const [index, answer] of answers.entries()) {
          expect([200, 400]).toContain(answer.status);
          expect(own[index]).toEqual(expect.arrayContaining('fields' in answer ? idsOf(answer) : []));
        }
      }
    }
  });

  it('finds only its own members with any search text', async () => {
    await using service = await start();
    const token = await tokenOf(service, memberId);
    const keys = new Map(
      (await service.database.select().from(service.database.tables.members)).map((row) => [
        row.id,
        [row.usernameKey, row.firstNameKey, row.lastNameKey, row.emailKey],
      ]),
    );
    for (const text of WILDCARDS) {
      const found = idsOf(await callRest(service, { token, accountId }, readingCalls.memberSearch(text)));
      expect(found, text).toEqual(
        visible.filter((id) => keys.get(id)?.some((key) => key?.includes(text.trim().replace('é', 'e')))),
      );
      const accounts = await callRest(service, { token }, readingCalls.accountSearch(text));
      expect([[], [accountId]], text).toContainEqual(idsOf(accounts));
    }
  });
});

/** Cursors of every kind of list, issued to another caller. */
async function cursorsOf(
  service: RunningService,
  caller: { token: string; accountId: number | undefined },
): Promise<string[]> {
  const calls = [
    readingCalls.members({ limit: 1 }),
    readingCalls.memberSearch('e', { limit: 1 }),
    readingCalls.accountSearch('', { limit: 1 }),
    readingCalls.conversations({ limit: 1 }),
    readingCalls.messages({ memberId: 1, conversationId: 5, limit: 1 }),
  ];
  const answers = await callBatch(service, caller, calls);
  return answers.flatMap((answer) => {
    const cursor =
      'fields' in answer ? (answer.fields as { page: { nextCursor: string | null } }).page.nextCursor : null;
    return cursor === null ? [] : [cursor];
  });
}

it("answers the same 404 for another account's data as for data that does not exist", async () => {
  await using service = await start();
  const token = await tokenOf(service, 9);
  const caller = { token, accountId: 3 };
  const foreign = [
    readingCalls.memberDetail(4),
    readingCalls.messages({ memberId: 9, conversationId: 1 }),
    subjectRemoval(1),
  ];
  const missing = [
    readingCalls.memberDetail(99),
    readingCalls.messages({ memberId: 9, conversationId: 99 }),
    subjectRemoval(99),
  ];
  for (const [index, call] of foreign.entries()) {
    const nothing = missing[index];
    if (!nothing) throw new Error('Every foreign call has one for what does not exist');
    expect(await callRest(service, caller, call)).toEqual(await callRest(service, caller, nothing));
  }
});
