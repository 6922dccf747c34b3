// @module-tag slow

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

/** The contract's table written a second time, so that the code is not compared with itself. */
const LISTS_MEMBERS = [0, 1, 2, 3, 4, 6];
const READS_CONVERSATIONS = [0, 1, 2, 3, 4, 6];
const REMOVES_SUBJECTS = [0, 1, 2, 6];
const ARCHIVED = 11;
const ROOT = 1;
const STAFF = 2;
const ACCOUNTS = [1, 2, 3];
const SELECTIONS = [undefined, 1, 2, 3, 99, '1,2'] as const;

interface World {
  readonly service: RunningService;
  /** With all that a search compares. */
  readonly members: readonly { id: number; texts: string }[];
  readonly roles: ReadonlyMap<string, number>;
  readonly conversations: readonly { id: number; accountId: number }[];
  readonly present: ReadonlySet<string>;
  readonly subjects: readonly { id: number; accountId: number }[];
}

async function readWorld(service: RunningService): Promise<World> {
  const { database } = service;
  const { members, memberships, conversations, participants, subjects } = database.tables;
  const rows = await database.select().from(memberships);
  return {
    service,
    members: (await database.select().from(members)).map((row) => ({
      id: row.id,
      texts: [row.username, row.firstNameKey, row.lastNameKey, row.emailKey].join('\n'),
    })),
    roles: new Map(rows.map((row) => [`${row.memberId} in ${row.accountId}`, row.roleType])),
    conversations: await database
      .select({ id: conversations.id, accountId: conversations.accountId })
      .from(conversations),
    present: new Set(
      (await database.select().from(participants)).map((row) => `${row.memberId} in ${row.conversationId}`),
    ),
    subjects: await database.select({ id: subjects.id, accountId: subjects.accountId }).from(subjects),
  };
}

/** A person's role in an account; undefined if they have no access. */
function roleIn({ roles }: World, memberId: number, accountId: number): number | undefined {
  if (!ACCOUNTS.includes(accountId)) return undefined;
  if (memberId === ROOT) return 0;
  if (memberId === STAFF) return accountId === 2 ? 6 : undefined;
  const role = roles.get(`${memberId} in ${accountId}`);
  return role === ARCHIVED ? undefined : role;
}

interface Expected {
  readonly status: number;
  readonly code?: string;
  readonly ids?: readonly number[];
}

const FORBIDDEN: Expected = { status: 403, code: 'account_forbidden' };
const DENIED: Expected = { status: 403, code: 'permission_denied' };
const UNKNOWN: Expected = { status: 404, code: 'not_found' };
const INVALID: Expected = { status: 400, code: 'invalid_account' };
const REQUIRED: Expected = { status: 400, code: 'account_required' };
const UNAUTHENTICATED: Expected = { status: 401, code: 'unauthorized access' };

type Authorize = (world: World, memberId: number, accountId: number | undefined) => Expected;

/** A list for which staff may omit the account. */
function scoped(
  world: World,
  memberId: number,
  accountId: number | undefined,
  isFound: (texts: string) => boolean,
): Expected {
  const reached =
    accountId === undefined
      ? ACCOUNTS.filter((id) => roleIn(world, memberId, id) !== undefined)
      : [accountId];
  if (accountId === undefined && memberId !== ROOT && memberId !== STAFF) return REQUIRED;
  if (accountId !== undefined) {
    const role = roleIn(world, memberId, accountId);
    if (role === undefined) return FORBIDDEN;
    if (!LISTS_MEMBERS.includes(role)) return DENIED;
  }
  const isInside = (id: number) =>
    (memberId === ROOT && accountId === undefined) ||
    reached.some((account) => world.roles.has(`${id} in ${account}`));
  return {
    status: 200,
    ids: world.members.filter(({ id, texts }) => isInside(id) && isFound(texts)).map(({ id }) => id),
  };
}

function detailOf(userId: number): Authorize {
  return (world, memberId, accountId) => {
    if (accountId !== undefined && roleIn(world, memberId, accountId) === undefined) return FORBIDDEN;
    const isThere = world.members.some(({ id }) => id === userId);
    const shares = ACCOUNTS.some((account) => {
      const role = roleIn(world, memberId, account);
      return role !== undefined && LISTS_MEMBERS.includes(role) && world.roles.has(`${userId} in ${account}`);
    });
    return isThere && (userId === memberId || memberId === ROOT || shares)
      ? { status: 200, ids: [userId] }
      : UNKNOWN;
  };
}

function readsConversation(
  world: World,
  memberId: number,
  conversation: World['conversations'][number],
): boolean {
  const role = roleIn(world, memberId, conversation.accountId);
  if (role === undefined) return false;
  return READS_CONVERSATIONS.includes(role) || world.present.has(`${memberId} in ${conversation.id}`);
}

const conversationList: Authorize = (world, memberId, accountId) => {
  if (accountId === undefined) return REQUIRED;
  if (roleIn(world, memberId, accountId) === undefined) return FORBIDDEN;
  const own = world.conversations.filter(
    (each) => each.accountId === accountId && readsConversation(world, memberId, each),
  );
  return { status: 200, ids: own.map(({ id }) => id).toReversed() };
};

function messagesOf(conversationId: number): Authorize {
  return (world, memberId, accountId) => {
    if (accountId === undefined) return REQUIRED;
    if (roleIn(world, memberId, accountId) === undefined) return FORBIDDEN;
    const conversation = world.conversations.find(({ id }) => id === conversationId);
    const isOpen = conversation?.accountId === accountId && readsConversation(world, memberId, conversation);
    return isOpen ? { status: 200 } : UNKNOWN;
  };
}

const accountSearch: Authorize = (world, memberId, accountId) => {
  if (accountId !== undefined && roleIn(world, memberId, accountId) === undefined) return FORBIDDEN;
  return { status: 200, ids: ACCOUNTS.filter((id) => roleIn(world, memberId, id) !== undefined) };
};

function removalOf(subjectId: number): Authorize {
  return (world, memberId, accountId) => {
    if (accountId === undefined) return REQUIRED;
    const role = roleIn(world, memberId, accountId);
    if (role === undefined) return FORBIDDEN;
    if (!REMOVES_SUBJECTS.includes(role)) return DENIED;
    const isOwn = world.subjects.some(
      (subject) => subject.id === subjectId && subject.accountId === accountId,
    );
    return isOwn ? { status: 200 } : UNKNOWN;
  };
}

interface Cell {
  readonly call: TransportCall;
  readonly authorize: Authorize;
}

function readingCells(memberId: number): Cell[] {
  return [
    {
      call: readingCalls.members(),
      authorize: (world, id, account) => scoped(world, id, account, () => true),
    },
    ...['', 'o', 'acme', '%', '_'].map((text) => ({
      call: readingCalls.memberSearch(text),
      authorize: (world: World, id: number, account: number | undefined) =>
        scoped(world, id, account, (texts) => texts.includes(text)),
    })),
    ...[1, 3, 5, 8, 9, 11, 99].map((id) => ({
      call: readingCalls.memberDetail(id),
      authorize: detailOf(id),
    })),
    { call: readingCalls.accountSearch(''), authorize: accountSearch },
    { call: readingCalls.conversations(), authorize: conversationList },
    ...[1, 3, 5, 7, 99].map((conversationId) => ({
      call: readingCalls.messages({ memberId, conversationId }),
      authorize: messagesOf(conversationId),
    })),
  ];
}

function removalCells(): Cell[] {
  return [1, 4, 6, 99].map((subjectId) => ({
    call: {
      procedure: 'subject.remove',
      type: 'mutation',
      input: { subjectId },
      path: '/RemoveSubject',
      body: { subjectId },
    },
    authorize: removalOf(subjectId),
  }));
}

function expectedOf(
  { authorize }: Cell,
  world: World,
  memberId: number | undefined,
  selection: unknown,
): Expected {
  if (memberId === undefined || memberId === 10) return UNAUTHENTICATED;
  if (selection !== undefined && typeof selection !== 'number') return INVALID;
  return authorize(world, memberId, selection);
}

/** A search of all members has a different order, and is tested separately. */
function summaryOf(verdict: Verdict, { ids }: Expected, { call }: Cell): Expected {
  if (!('fields' in verdict)) return verdict;
  if (ids === undefined) return { status: 200 };
  const { data } = verdict.fields as { data: { id: number } | { id: number }[] };
  const found = [data].flat().map(({ id }) => id);
  return { status: 200, ids: call.procedure === 'member.search' ? found.toSorted((a, b) => a - b) : found };
}

const WHO = [
  ['a stranger', undefined],
  ['staff of base role 0', 1],
  ['staff granted account 2', 2],
  ['the owner of account 1, manager in 2', 3],
  ['a manager', 4],
  ['a contributor', 5],
  ['a designer', 6],
  ['a user member', 7],
  ['the owner of account 2', 8],
  ['the owner of account 3', 9],
  ['an archived member', 10],
  ['a user member in no conversation but one', 11],
] as const;

describe.each(WHO)('%s', (_who, memberId) => {
  it('gets what the contract’s table says in every account, over both transports and in a batch', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const world = await readWorld(service);
    const token = memberId === undefined ? undefined : await tokenOf(service, memberId);
    const reading = readingCells(memberId ?? 1);
    for (const selection of SELECTIONS) {
      const caller = { token, accountId: selection };
      const batched = await callBatch(
        service,
        caller,
        reading.slice(0, 20).map(({ call }) => call),
      );
      for (const [index, cell] of [...reading, ...removalCells()].entries()) {
        const where = `${cell.call.procedure} ${JSON.stringify(cell.call.input)} in ${selection}`;
        const expected = expectedOf(cell, world, memberId, selection);
        const rest = await callRest(service, caller, cell.call);
        expect(summaryOf(rest, expected, cell), where).toEqual(expected);
        const isBatched = index < batched.length;
        if (isBatched) expect(batched[index], where).toEqual(rest);
        if (!isBatched || selection === 1)
          expect(await callTrpc(service, caller, cell.call), where).toEqual(rest);
      }
    }
  });
});
