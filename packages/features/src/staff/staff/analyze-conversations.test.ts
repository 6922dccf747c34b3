import { existsSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { removePersonnelGrant } from '@gatehouse/db/queries/personnel-grants';
import { blockOf, createTestFolder, insertTestMember, unsettled } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { startStaffWorld } from '../../test/staff-world.js';
import { writeProgram } from '../../test/write-program.js';

const REPORT = `
const chunks = [];
process.stdin.on('data', (chunk) => chunks.push(chunk)).on('end', () => {
  const lines = Buffer.concat(chunks).toString().split('\\n').filter(Boolean).map((line) => JSON.parse(line));
  process.stdout.write(JSON.stringify({ args: process.argv.slice(2), ppid: process.ppid, lines }));
});`;

const guide = (text: string) => blockOf('docs/analysis.md', text);

const REQUEST = { AccountId: 2, languageModelId: 'model-7', topic: 'late parcels' };

/** Topics that a shell or an option parser could misread. */
const TOPICS = [
  '--help',
  '-o/x',
  '--',
  '$(id)',
  '`id`',
  ';id',
  '| id',
  '&& id',
  'two\nlines',
  '%s%n',
  "'",
  '"',
  '\\',
  '*',
  ' ',
  '../../etc/passwd',
  '𝄞',
  'x'.repeat(2_000),
];

describe('an analysis by the program that is included', () => {
  it('says what the conversations of the account contain about the topic', async () => {
    await using world = await startStaffWorld();
    const { status, body } = await world.send('/analyzeKnowledge', world.manager, REQUEST);
    expect(status).toBe(200);
    expect(body).toMatchObject({
      status: true,
      data: {
        accountId: 2,
        languageModelId: 'model-7',
        topic: 'late parcels',
        conversations: 2,
        messages: 5,
        participants: 2,
        conversationsAboutTopic: 1,
        messagesAboutTopic: 2,
        findings: [{ conversationId: 6, title: 'Late parcels in week 14', mentions: 2 }],
      },
    });
    const { summary } = body['data'] as { summary: string };
    expect(summary).toMatch(/^2 of 5 messages, in 1 of 2 conversations/);
  });

  it('accepts any text as a topic', async () => {
    await using world = await startStaffWorld();
    for (const topic of ['--help', '$(id)', 'nothing of the kind', '--']) {
      const { body } = await world.send('/analyzeKnowledge', world.root, { ...REQUEST, topic });
      expect(body['data']).toMatchObject({ topic, conversationsAboutTopic: 0 });
    }
  });
});

describe('an analysis by a program of the operator', () => {
  it('gets each topic intact after --, without a shell, and only the conversations of that account', async () => {
    await using folder = await createTestFolder();
    const program = await writeProgram(folder.path, 'report', REPORT);
    await using world = await startStaffWorld({ ANALYSIS_PROGRAM: program });
    for (const topic of TOPICS) {
      const { status, body } = await world.send('/analyzeKnowledge', world.manager, { ...REQUEST, topic });
      expect([topic, status]).toEqual([topic, 200]);
      expect(body['data']).toMatchObject({ args: ['--', '2', 'model-7', topic], ppid: process.pid });
    }
    const { body } = await world.send('/analyzeKnowledge', world.manager, { ...REQUEST, languageModelId: 7 });
    const { args, lines } = body['data'] as { args: string[]; lines: Record<string, unknown>[] };
    expect(args[2]).toBe('7');
    expect(lines.map(({ id, part }) => [id, part])).toEqual([
      [6, 1],
      [5, 1],
    ]);
    expect(JSON.stringify(lines)).not.toMatch(/Bruno|birch\.test/);
    expect(lines[0]).toMatchObject({
      title: 'Late parcels in week 14',
      subject: 'Delivery times',
      messages: [
        { memberId: 8, body: 'Eleven parcels arrived late last week, all through the northern depot.' },
        { memberId: 3 },
      ],
    });
  });

  it('is called, and gets its input, as the guide to analyses says', async () => {
    await using folder = await createTestFolder();
    const program = await writeProgram(folder.path, 'report', REPORT);
    await using world = await startStaffWorld({ ANALYSIS_PROGRAM: program });
    const request = JSON.parse(guide('"languageModelId"')) as Record<string, string | number>;
    const { status, body } = await world.send('/analyzeKnowledge', world.manager, request);
    expect(status).toBe(200);
    const { args, lines } = body['data'] as { args: string[]; lines: Record<string, unknown>[] };
    const [, ...called] = guide('$ANALYSIS_PROGRAM').trim().split(' ');
    expect(args).toEqual(called.map((word) => String(request[word.replace(/[<>]/g, '')] ?? word)));
    const shown = JSON.parse(guide('"messages"')) as Record<string, unknown>;
    expect(lines[0]).toMatchObject({
      ...shown,
      createdAt: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      messages: expect.arrayContaining([
        {
          memberId: 8,
          at: expect.stringMatching(/Z$/),
          body: expect.stringMatching(/^Eleven parcels arrived late /),
        },
      ]),
    });
    expect(Object.keys(lines[0] ?? {})).toEqual(Object.keys(shown));
  });

  it('gets a long conversation in parts, in order and whole', async () => {
    await using folder = await createTestFolder();
    const program = await writeProgram(folder.path, 'report', REPORT);
    await using world = await startStaffWorld({ ANALYSIS_PROGRAM: program });
    const { messages } = world.service.database.tables;
    const more = Array.from({ length: 1_100 }, (_, index) => ({
      conversationId: 7,
      memberId: 9,
      body: `message ${index}`,
      createdAtMs: Date.now() + index,
    }));
    await world.service.database.insertMany(messages, more);
    const { body } = await world.send('/analyzeKnowledge', world.root, { ...REQUEST, AccountId: 3 });
    const { lines } = body['data'] as { lines: { part: number; messages: { body: string }[] }[] };
    expect(lines.map(({ part, messages: { length } }) => [part, length])).toEqual([
      [1, 500],
      [2, 500],
      [3, 102],
    ]);
    expect(lines.flatMap((line) => line.messages.map((message) => message.body)).slice(2)).toEqual(
      more.map(({ body: text }) => text),
    );
  });

  it.each([
    ['hangs', 'setInterval(() => {}, 1000)'],
    ['fails', 'process.exit(1)'],
    ['prints what is no JSON', "process.stdout.write('no json')"],
    ['prints nothing', ''],
  ])('answers 500 in time when the program %s', async (_, source) => {
    await using folder = await createTestFolder();
    const program = await writeProgram(folder.path, 'broken', source);
    await using world = await startStaffWorld({ ANALYSIS_PROGRAM: program, ANALYSIS_TIMEOUT_SECONDS: '1' });
    const startedAt = performance.now();
    const { status, code, body } = await world.send('/analyzeKnowledge', world.root, REQUEST);
    expect({ status, code, body }).toMatchObject({
      status: 500,
      code: 'analysis_failed',
      body: { status: false, message: 'The analysis could not be completed.' },
    });
    expect(performance.now() - startedAt).toBeLessThan(4_000);
    expect(world.service.logLines.filter((line) => line.includes('analysis_failed'))).toHaveLength(1);
  });

  it('is not shown to staff who lost the account while it ran', async () => {
    await using folder = await createTestFolder();
    const [begun, go] = [join(folder.path, 'begun'), join(folder.path, 'go')];
    const program = await writeProgram(
      folder.path,
      'waiting',
      `const { existsSync, writeFileSync } = require('node:fs');
      writeFileSync(${JSON.stringify(begun)}, '');
      const waiting = setInterval(() => {
        if (!existsSync(${JSON.stringify(go)})) return;
        clearInterval(waiting);
        process.stdout.write('{}');
      }, 20);`,
    );
    await using world = await startStaffWorld({ ANALYSIS_PROGRAM: program });
    const { id: personnelId } = world.manager;
    const asked = world.send('/analyzeKnowledge', world.manager, REQUEST);
    await expect.poll(() => existsSync(begun), { timeout: 20_000 }).toBe(true);
    const nowMs = Date.now();
    await changeAccess(world.service.database, { members: [personnelId] }, (tx) =>
      removePersonnelGrant(unsettled(tx), { personnelId, accountId: 2, nowMs }),
    );
    await writeFile(go, '');
    expect(await asked).toMatchObject({ status: 403, code: 'account_forbidden' });
  });

  it('answers 500 when there is no such program', async () => {
    await using folder = await createTestFolder();
    await using world = await startStaffWorld({ ANALYSIS_PROGRAM: join(folder.path, 'absent') });
    expect((await world.send('/analyzeKnowledge', world.root, REQUEST)).code).toBe('analysis_failed');
  });

  it('runs two at once, refuses the third with Retry-After, and continues afterwards', async () => {
    await using folder = await createTestFolder();
    const go = join(folder.path, 'go');
    const program = await writeProgram(
      folder.path,
      'waiting',
      `const waiting = setInterval(() => {
        if (!require('node:fs').existsSync(${JSON.stringify(go)})) return;
        clearInterval(waiting);
        process.stdout.write('{}');
      }, 20);`,
    );
    await using world = await startStaffWorld({ ANALYSIS_PROGRAM: program });
    const ask = () => world.service.send('/analyzeKnowledge', { token: world.root.token, body: REQUEST });
    const refused: Response[] = [];
    const asked = Array.from({ length: 6 }, async () => {
      const answer = await ask();
      if (answer.status === 503) refused.push(answer);
      return answer.status;
    });
    await expect.poll(() => refused.length, { timeout: 20_000 }).toBe(4);
    await writeFile(go, '');
    expect((await Promise.all(asked)).toSorted((a, b) => a - b)).toEqual([200, 200, 503, 503, 503, 503]);
    expect(refused[0]?.headers.get('retry-after')).toBe('10');
    expect((await ask()).status).toBe(200);
  });
});

describe('a request for an analysis', () => {
  it('is refused if it could not arrive intact', async () => {
    await using world = await startStaffWorld();
    const ask = (change: object) => world.send('/analyzeKnowledge', world.root, { ...REQUEST, ...change });
    for (const topic of ['', 'a\0b', '\ud800', 'x'.repeat(2_001), 5, null, ['a'], { a: 1 }, undefined]) {
      expect([topic, (await ask({ topic })).status]).toEqual([topic, 400]);
    }
    for (const languageModelId of ['', 'a\0', 'x'.repeat(201), 1.5, null, undefined, true]) {
      expect([languageModelId, (await ask({ languageModelId })).status]).toEqual([languageModelId, 400]);
    }
    for (const AccountId of [0, -1, 1.5, '2x', null, undefined, [2]]) {
      expect([AccountId, (await ask({ AccountId })).status]).toEqual([AccountId, 400]);
    }
    expect((await ask({ topic: 'x'.repeat(1_000_000) })).status).toBe(413);
  });

  it('requires the permission in the account it names, whatever the account header says', async () => {
    await using world = await startStaffWorld();
    const demoted = await insertTestMember(world.service.database, {
      roleType: 6,
      isPersonnel: true,
      grants: [2, 3],
      memberships: { 2: 5 },
    });
    const ask = async (as: { token: string }, AccountId: number, accountId?: number) => {
      const response = await world.service.send('/analyzeKnowledge', {
        token: as.token,
        accountId,
        body: { ...REQUEST, AccountId },
      });
      return response.status === 200
        ? 200
        : ((await response.json()) as { error: { code: string } }).error.code;
    };
    expect(await ask(demoted, 3)).toBe(200);
    expect(await ask(demoted, 2)).toBe('permission_denied');
    expect(await ask(demoted, 2, 3)).toBe('permission_denied');
    expect(await ask(world.manager, 1, 2)).toBe('account_forbidden');
    expect(await ask(world.member, 2)).toBe('permission_denied');
    await world.call('account.remove', { accountId: 3 }, world.root);
    expect(await ask(world.root, 3)).toBe('account_forbidden');
  });
});
