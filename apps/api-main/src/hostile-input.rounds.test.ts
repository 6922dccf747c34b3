import { createRequire } from 'node:module';
import { personNameSchema, type SearchWord, searchKey, searchWords } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { UnstorableTextError } from '@gatehouse/db/dialect/stored-text';
import { readingCalls } from '@gatehouse/features/test/reading-calls';
import { tokenOf } from '@gatehouse/features/test/token-of';
import { callRest, type TransportCall } from '@gatehouse/features/test/transport-call';
import { type RunningService, rounds, startService } from '@gatehouse/testkit';
import fc from 'fast-check';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { createApp } from './app.js';

const dialect = inject('dialect');
const start = () => startService(createApp, { dialect, application: 'web' });

const naughty = z
  .array(z.string())
  .parse(createRequire(import.meta.url)('big-list-of-naughty-strings/blns.json'));

const found = z.object({ data: z.array(z.object({ id: z.number() })) });

const MAX_ANSWER_MS = 1_000;

/**
 * Values near those of the schemas: valid, nearly valid, of another type, too large, or nested differently.
 */
const nearText = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 300 }),
  fc.constantFrom(...naughty),
  fc.constantFrom('\0', '\ud800', 'a\udfff', '%', '_', '\\', '!', '', ' ', '\u{10ffff}', 'ﷺ'.repeat(200)),
);
const nearNumber = fc.oneof(
  fc.integer({ min: -2, max: 12 }),
  fc.double(),
  fc.constantFrom(
    2 ** 31,
    2 ** 53,
    2 ** 63,
    -0,
    1e21,
    '1',
    '1e309',
    '0x1',
    ' 1',
    '٣',
    '1.5',
    '9007199254740993',
  ),
);
const nearCursor = fc.oneof(
  nearText,
  fc.jsonValue().map((value) => Buffer.from(JSON.stringify(value) ?? '').toString('base64url')),
  fc
    .array(fc.oneof(nearText, nearNumber), { maxLength: 3 })
    .map((key) => Buffer.from(JSON.stringify(key)).toString('base64url')),
);
const anything = fc.oneof(
  nearText,
  nearNumber,
  fc.jsonValue({ maxDepth: 4 }),
  fc.constantFrom(null, true, [], {}),
);
const mostly = (value: fc.Arbitrary<unknown>) =>
  fc.oneof({ weight: 3, arbitrary: value }, { weight: 1, arbitrary: anything });

const body = fc.record(
  {
    username: mostly(nearText),
    search: mostly(nearText),
    memberId: mostly(nearNumber),
    conversationId: mostly(nearNumber),
    subjectId: mostly(fc.constantFrom(99, '99', 0, -1, 2 ** 60)),
    limit: mostly(nearNumber),
    cursor: mostly(nearCursor),
    role_type: anything,
    isPersonnel: anything,
    constructor: anything,
  },
  { requiredKeys: [] },
);

const POSTS = ['/searchAllMembers', '/searchAccountUser', '/getMemberschatMessages', '/RemoveSubject'];
const GETS = ['/getAllMemberslist', '/getAllConversationlist', '/getMemberschatMessages'];
const PROCEDURES = [
  'member.list',
  'member.search',
  'member.detail',
  'account.search',
  'conversation.list',
  'conversation.messages',
];

async function expectAnswer(answer: Promise<Response>, what: () => string): Promise<void> {
  const startedAt = performance.now();
  const response = await answer;
  await response.text();
  expect(response.status, what()).toBeLessThan(500);
  expect(performance.now() - startedAt, what()).toBeLessThan(MAX_ANSWER_MS);
}

function queryOf(fields: Readonly<Record<string, unknown>>): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(fields)) {
    query.append(name, typeof value === 'string' ? value : String(JSON.stringify(value)));
  }
  return query.toString();
}

/** Half of a surrogate pair cannot be in a path. A client sends this instead. */
function segmentOf(value: unknown): string {
  return encodeURIComponent(Buffer.from(String(JSON.stringify(value))).toString());
}

async function insertMessage(db: Database, text: string): Promise<void> {
  await db.insert(db.tables.messages, { conversationId: 7, memberId: 9, body: text, createdAtMs: 1 });
}

describe('a request with hostile input', () => {
  it('is answered within a second and with a status below 500, over both transports', async () => {
    await using service = await start();
    const callers = [
      { token: await tokenOf(service, 1) },
      { token: await tokenOf(service, 3), accountId: 1 },
      { token: await tokenOf(service, 7), accountId: 1 },
    ];
    await fc.assert(
      fc.asyncProperty(
        body,
        fc.constantFrom(...callers),
        fc.constantFrom(...POSTS),
        fc.constantFrom(...GETS),
        fc.constantFrom(...PROCEDURES),
        anything,
        async (fields, caller, post, get, procedure, param) => {
          const what = () => `${post} ${get} ${procedure} ${JSON.stringify(fields)} ${JSON.stringify(param)}`;
          await expectAnswer(service.send(post, { ...caller, body: fields }), what);
          await expectAnswer(service.send(`${get}?${queryOf(fields)}`, caller), what);
          const input = new URLSearchParams({ input: JSON.stringify({ ...fields, userId: param }) });
          await expectAnswer(service.send(`/trpc/${procedure}?${input}`, caller), what);
          await expectAnswer(service.send(`/getUserdetail${segmentOf(param)}`, caller), what);
        },
      ),
      { numRuns: rounds({ suite: 60, stress: 5_000 }) },
    );
    expect(service.logLines.filter((line) => line.includes('"level":"error"'))).toEqual([]);
  });

  it('searches for a naughty string literally', async () => {
    await using service = await start();
    const token = await tokenOf(service, 1);
    const { members, accounts } = service.database.tables;
    const people = await service.database.select().from(members);
    const tenants = await service.database.select().from(accounts);
    for (const text of naughty.slice(0, rounds({ suite: 150, stress: naughty.length }))) {
      const words = searchWords(text);
      const havingAll = <Row extends { id: number }>(
        rows: readonly Row[],
        has: (row: Row, word: SearchWord) => boolean,
      ) => rows.filter((row) => words.every((word) => word.id === row.id || has(row, word)));
      const foundPeople = havingAll(
        people,
        ({ usernameKey, firstNameKey, lastNameKey, emailKey }, word) =>
          [usernameKey, firstNameKey, lastNameKey].some((key) => key.includes(word.nameKey)) ||
          (word.emailKey !== '' && emailKey?.includes(word.emailKey) === true),
      );
      const foundAccounts = havingAll(tenants, ({ nameKey }, word) => nameKey.includes(word.nameKey));
      await expectFound(service, token, readingCalls.memberSearch(text), foundPeople);
      await expectFound(service, token, readingCalls.accountSearch(text), foundAccounts);
    }
  });
});

async function expectFound(
  service: RunningService,
  token: string,
  call: TransportCall,
  rows: readonly { id: number }[],
): Promise<void> {
  const verdict = await callRest(service, { token }, call);
  if ('fields' in verdict) {
    const { data } = found.parse(verdict.fields);
    const ids = data.map(({ id }) => id).toSorted((a, b) => a - b);
    expect(ids, call.path).toEqual(rows.map(({ id }) => id));
  } else {
    expect(verdict, call.path).toEqual({ status: 400, code: 'invalid_input' });
  }
}

describe('a string of the Big List of Naughty Strings', () => {
  it('is refused, or stored as sent and read back in a message', async () => {
    await using service = await start();
    const { database } = service;
    const stored: string[] = [];
    for (const text of naughty) {
      try {
        await insertMessage(database, text);
        stored.push(text);
      } catch (error) {
        expect(error).toBeInstanceOf(UnstorableTextError);
      }
    }
    expect(await readBack(service)).toEqual(stored);
    expect(naughty.length - stored.length).toBeLessThan(5);
  });

  it('finds the account that has it as its name', async () => {
    await using service = await start();
    const { database } = service;
    const token = await tokenOf(service, 1);
    const names = naughty.filter(
      (text) => personNameSchema.safeParse(text).success && searchKey(text) !== '',
    );
    for (const name of names.slice(0, rounds({ suite: 100, stress: names.length }))) {
      const id = await database.insert(database.tables.accounts, {
        name,
        nameKey: searchKey(name),
        ownerId: 9,
        createdAtMs: 1,
        updatedAtMs: 1,
      });
      const verdict = await callRest(service, { token }, readingCalls.accountSearch(name, { limit: 200 }));
      if (!('fields' in verdict)) throw new Error(`${name} is refused: ${verdict.code}`);
      const { data } = z
        .object({ data: z.array(z.object({ id: z.number(), name: z.string() })) })
        .parse(verdict.fields);
      expect(data).toContainEqual(expect.objectContaining({ id, name }));
    }
  });
});

async function readBack(service: RunningService): Promise<string[]> {
  const caller = { token: await tokenOf(service, 9), accountId: 3 };
  const bodies: string[] = [];
  const page = z.object({
    data: z.array(z.object({ body: z.string() })),
    page: z.object({ nextCursor: z.string().nullable() }),
  });
  let cursor: string | undefined;
  do {
    const input = { memberId: 9, conversationId: 7, limit: 100, ...(cursor === undefined ? {} : { cursor }) };
    const verdict = await callRest(service, caller, readingCalls.messages(input));
    if (!('fields' in verdict)) throw new Error(verdict.code);
    const { data, page: end } = page.parse(verdict.fields);
    bodies.push(...data.map((row) => row.body));
    cursor = end.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return bodies.slice(2);
}
