import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import type { Database } from '@gatehouse/db/database';
import { openReplacedDatabase } from '@gatehouse/db/replaced/open-replaced-database';
import { blockOf, type TestDialect } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type MoveWorld, startMoveWorld } from '../test/move-world.js';
import { readCommands } from '../test/read-commands.js';
import type { ReplacedPerson } from '../test/replaced-people.js';
import { move } from './move.js';

async function everything(db: Database): Promise<number[]> {
  const { members, accounts, memberships, personnelGrants, partners, auditLog, accessChanges, messages } =
    db.tables;
  const tables = [
    members,
    accounts,
    memberships,
    personnelGrants,
    partners,
    auditLog,
    accessChanges,
    messages,
  ];
  return Promise.all(tables.map(async (table) => (await db.select().from(table)).length));
}

const DIALECTS: readonly TestDialect[] = ['libsql', 'mysql'];

describe.each(DIALECTS)('a plan of a move into %s', (dialect) => {
  it('finds the tables of the replaced system, says row by row what would not be moved and why, and writes nothing', async () => {
    await using mover = await startMoveWorld(dialect, 1000);
    const before = await everything(mover.database);
    const { code, said } = await mover.run('plan');
    expect(await everything(mover.database)).toEqual(before);
    expect(code).toBe(1);
    const about = (flaw: ReplacedPerson['flaw']) =>
      mover.people.filter((person) => person.flaw === flaw).map(({ id }) => id);
    const named = (text: string) =>
      said
        .filter((line) => line.startsWith('member ') && line.includes(text))
        .map((line) => Number(line.split(/[ :]/)[1]));
    expect(named('has this login identifier').toSorted(byNumber)).toEqual(
      [...about('twin'), ...about('came back')].toSorted(byNumber),
    );
    expect(named('comes without its password')).toEqual(about('damaged'));
    expect(named('holds an @')).toEqual(about('a mark'));
    expect(named('made from its name').length).toBeGreaterThan(70);
    const lost = mover.people.filter(({ flaw }) => flaw !== undefined && flaw !== 'damaged').length;
    expect(said).toContain(
      'connection 4: providerUserId: ' +
        "neither a column nor detail has the provider's id of the person: map one, as in detail.id",
    );
    expect(said.filter((line) => line.startsWith('membership '))).toHaveLength(lost);
    const counted = (kind: string) => said.find((line) => line.startsWith(`${kind} (table`));
    expect(counted('members')).toContain(
      `1000 rows: ${1000 - lost} would be added, 0 are there, ${lost} with a problem, 0 left out because of them; passwords: `,
    );
    expect(counted('memberships')).toContain(
      `${1000 - lost} would be added, 0 are there, 0 with a problem, ${lost} left out`,
    );
    expect(counted('accounts')).toContain('100 would be added');
    expect(counted('messages')).toContain('2 would be added');
    expect(counted('affiliates')).toContain('1 would be added');
    expect(said).toContain(
      '  members.access_token: one-time passwords that wait for a sign-in: ask for a new one',
    );
    expect(said).toContain('  table webhook_log: the map does not name it');
    expect(said.at(-2)).toMatch(
      /^It takes about \d+ seconds: \d+ passwords to hash, \d+ a second on this machine, and \d+ rows to write/,
    );
    expect(said.join('\n')).not.toMatch(/-Before-1|\$2b\$/);
  });

  it('writes the guessed map once, and accepts a corrected one', async () => {
    await using mover = await startMoveWorld(dialect, 20);
    await mover.run('plan');
    await expect(mover.run('plan')).rejects.toThrow('move-map.yaml is there already');
    const path = `${mover.folder}/move-map.yaml`;
    const map = await readFile(path, 'utf8');
    await expect(map).toMatchFileSnapshot('../test/move-map.yaml');
    const corrected = map.replace(
      'corrections: {}',
      'corrections: { members: { "16": { username: Mark } } }',
    );
    await writeFile(
      path,
      corrected.replace('  affiliates:\n    table: affiliates', '  affiliates:\n    table: none'),
    );
    await expect(mover.run('plan', '--map', 'move-map.yaml')).rejects.toThrow(
      'affiliates: there is no table none',
    );
    await writeFile(path, corrected.replace('sid: sid', 'sid: null'));
    await expect(mover.run('plan', '--map', 'move-map.yaml')).rejects.toThrow(
      'tables.members.columns.sid: needs a column',
    );
    await writeFile(path, corrected);
    const { said } = await mover.run('plan', '--map', 'move-map.yaml');
    expect(said.filter((line) => line.startsWith('member 16:'))).toEqual([]);
  });

  it('reports a user of the old database who may do more than read', async () => {
    await using mover = await startMoveWorld(dialect, 20);
    const reader = await openReplacedDatabase(mover.old.url, '--from');
    expect(await reader.listWritingGrants()).toEqual([]);
    await reader.close();
    const writer = await openReplacedDatabase(mover.old.ownersUrl, '--from');
    expect(await writer.listWritingGrants()).not.toEqual([]);
    await writer.close();
  });

  it('reports what everybody may write, but for what MariaDB lets them do in its database test', async () => {
    await using mover = await startMoveWorld(dialect, 20);
    const { old } = mover;
    // MySQL has no such grants.
    const isMariadb = JSON.stringify(await old.run('select version()')).includes('MariaDB');
    if (isMariadb) await old.run('grant select, insert, update on `test`.* to public');
    const reader = await openReplacedDatabase(old.url, '--from');
    expect(await reader.listWritingGrants()).toEqual([]);
    if (isMariadb) {
      await old.run('revoke select, insert, update on `test`.* from public');
      await old.run('grant insert on members to public');
      expect(await reader.listWritingGrants()).toEqual([
        expect.stringMatching(/^GRANT INSERT ON .* TO `?PUBLIC`?$/),
      ]);
      await old.run('revoke insert on members from public');
    }
    await reader.close();
  });
});

const guide = (text: string) => blockOf('docs/moving.md', text);

/** A user of the old database who is made with the statements of the guide. */
async function makeReader({ old }: MoveWorld) {
  const [name, password] = [`reader_${randomUUID().slice(0, 8)}`, randomUUID()];
  const url = new URL(old.url);
  const statements = guide('CREATE USER')
    .replaceAll("'reader'", `'${name}'`)
    .replace('…', password)
    .replace('old.*', `\`${url.pathname.slice(1)}\`.*`);
  for (const statement of statements.trim().split(/;\n?/)) if (statement !== '') await old.run(statement);
  url.username = name;
  url.password = password;
  return {
    url: url.href,
    [Symbol.asyncDispose]: async () => void (await old.run(`drop user '${name}'@'%'`)),
  };
}

it('the guide to moving works as written, in its order, until everybody is moved and nothing differs', {
  timeout: 120_000,
}, async () => {
  await using mover = await startMoveWorld('mysql', 40);
  await using reader = await makeReader(mover);
  const opened = await openReplacedDatabase(reader.url, '--from');
  expect(await opened.listWritingGrants()).toEqual([]);
  await opened.close();
  const blocks = [guide('move plan'), guide('move run'), guide('move check'), guide('move back')];
  const commands = blocks.flatMap((block) => readCommands(block).commands.map(([, ...args]) => args));
  expect(commands.map(([action]) => action)).toEqual(['plan', 'plan', 'run', 'check', 'back']);
  const codes: number[] = [];
  for (const words of commands) {
    const args = words.map((word) => word.replace(/^mysql:.*/, reader.url));
    const said: string[] = [];
    const say = (line: string) => void said.push(line);
    codes.push(await move.run({ args, env: mover.env, say, draw: () => undefined }));
    if (codes.length === 1) await correctMap(mover);
    else expect(said.filter((line) => /: left out|has this|"is":"(?!compared|end)/.test(line))).toEqual([]);
  }
  expect(codes).toEqual([1, 0, 0, 0, 0]);
  const script = await readFile(`${mover.folder}/move-back.sql`, 'utf8');
  for (const line of script.trimEnd().split('\n')) await mover.old.run(line);
});

it('takes the map that its document shows', async () => {
  await using mover = await startMoveWorld('mysql', 40);
  await writeFile(`${mover.folder}/move-map.yaml`, guide('providerUserId: detail.id'));
  const { said } = await mover.run('plan', '--map', 'move-map.yaml');
  expect(said.find((line) => line.startsWith('members (table'))).toContain('40 rows: ');
  expect(said.find((line) => line.startsWith('connections (table'))).toMatch(/: \d+ would be added/);
});

/** Corrects the rows that the first plan names, as an operator does. */
async function correctMap({ folder }: MoveWorld): Promise<void> {
  const path = `${folder}/move-map.yaml`;
  const members = '{ "8": { sid: m8@old.test }, "16": { username: Mark }, "24": { sid: gone@old.test } }';
  const corrections = `corrections: { members: ${members}, connections: { "4": { providerUserId: "70004" } } }`;
  const map = await readFile(path, 'utf8');
  await writeFile(path, map.replace('corrections: {}', corrections));
}

const byNumber = (one: number, other: number): number => one - other;
