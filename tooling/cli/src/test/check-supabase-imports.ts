import type { TestDialect } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { csvOf } from './csv-of.js';
import { expectSignIn } from './expect-foreign-sign-in.js';
import { startForeignImportWorld } from './foreign-import-world.js';
import { hashEach, makeForeignPeople, oneOfEach } from './foreign-people.js';

const USERS = [
  'instance_id',
  'id',
  'email',
  'encrypted_password',
  'email_confirmed_at',
  'raw_user_meta_data',
  'created_at',
  'banned_until',
  'deleted_at',
  'is_anonymous',
  'is_sso_user',
];

const NO_INSTANCE = '00000000-0000-0000-0000-000000000000';

const CREATED_AT = '2021-03-04 05:06:07.891234+00';

/** The tables as `pg_dump` writes them. */
function dumpOf(tables: Readonly<Record<string, readonly (readonly (string | undefined)[])[]>>): string {
  const head = ['--', '-- PostgreSQL database dump', '--', '', "SET client_encoding = 'UTF8';", ''];
  const parts = Object.entries(tables).flatMap(([name, [columns = [], ...rows]]) => [
    `COPY auth.${name} (${columns.map((column) => (column === 'id' ? '"id"' : column)).join(', ')}) FROM stdin;`,
    ...rows.map((row) => row.map(copied).join('\t')),
    '\\.',
    '',
  ]);
  return `${[...head, ...parts].join('\n')}\n`;
}

function copied(field: string | undefined): string {
  if (field === undefined || field === '') return '\\N';
  return field.replaceAll('\\', '\\\\').replaceAll('\n', '\\n').replaceAll('\t', '\\t');
}

/** What an import from Supabase guarantees, on one database. */
export function checkSupabaseImports(dialect: TestDialect): void {
  it('1,000 users of Supabase sign in with their old password, authenticator app and providers the first time', {
    timeout: 120_000,
  }, async () => {
    await using world = await startForeignImportWorld(dialect);
    const people = makeForeignPeople(1000);
    const hashes = await hashEach();
    const users = people.map((person) => {
      const name = `${person.firstName} ${person.lastName}`.trim();
      const about = name === '' ? {} : { full_name: name, avatar_url: 'https://old.example/"1".png' };
      return [
        NO_INSTANCE,
        person.id,
        person.email,
        hashes.get(person.oddity),
        person.isConfirmed ? CREATED_AT : '',
        JSON.stringify(about),
        CREATED_AT,
        person.isDisabled ? '2121-03-04 05:06:07+00' : person.oddity === 'plain' ? CREATED_AT : '',
        '',
        'f',
        'f',
      ];
    });
    const strangers = [
      [NO_INSTANCE, 'gone', 'gone@old.example', '', '', '{}', CREATED_AT, '', CREATED_AT, 'f', 'f'],
      [NO_INSTANCE, 'nobody', '', '', '', '{}', CREATED_AT, '', '', 't', 'f'],
      [NO_INSTANCE, 'late', 'late@old.example', '', '', '{}', 'yesterday', '', '', 'f', 'f'],
      [NO_INSTANCE, '', 'none@old.example', '', '', '{}', CREATED_AT, '', '', 'f', 'f'],
      [NO_INSTANCE, 'sso', 'sso@old.example', '', CREATED_AT, '{}', CREATED_AT, '', '', 'f', 't'],
    ];
    const identities = people.flatMap((person) => [
      ['0', person.id, person.id, JSON.stringify({ sub: person.id, email: person.email }), 'email'],
      ...Object.entries(person.providers).map(([provider, id], at) => [
        String(at + 1),
        // Earlier versions have the id in the profile alone.
        provider === 'google' ? id : '',
        person.id,
        // Line breaks and quotes are within the field.
        JSON.stringify({ sub: id, email: person.email, full_name: 'A "quote"' }, null, 1),
        provider,
      ]),
      ...(person.oddity === 'plain' ? [['9', '7', person.id, '{"sub":"7"}', 'azure']] : []),
    ]);
    const factors = people.flatMap(({ id, totp }) =>
      totp === undefined
        ? []
        : [
            ['a', id, 'totp', 'unverified', 'GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ'],
            ['b', id, 'phone', 'verified', ''],
            ['c', id, 'totp', 'verified', totp],
          ],
    );
    const tables = {
      users: [USERS, ...users, ...strangers],
      identities: [['id', 'provider_id', 'user_id', 'identity_data', 'provider'], ...identities.toReversed()],
      mfa_factors: [['id', 'user_id', 'factor_type', 'status', 'secret'], ...factors],
    };
    const files = Object.fromEntries(
      Object.entries(tables).map(([name, rows]) => [`${name}.csv`, csvOf(rows)]),
    );
    const rehearsed = await world.bring(files, '--from', 'supabase', '--dry-run');
    const { members, mailOutbox } = world.db.tables;
    expect(await world.db.select().from(members)).toEqual([]);
    const brought = await world.bring(files, '--from', 'supabase');
    expect(brought.counts).toEqual([900, 0, 104, 0]);
    expect(rehearsed.counts).toEqual(brought.counts);
    for (const [line, why] of [
      [1002, 'was deleted there'],
      [1003, 'is nobody: an anonymous user'],
      [1004, 'has a time that PostgreSQL does not write'],
      [1005, 'has no id'],
    ])
      expect(brought.said).toContain(`users.csv, line ${line}: ${why}`);
    expect(brought.said).toMatch(/line 2 and 99 more: sign-in through "azure", which is no provider here/);
    expect(brought.said).toMatch(/line 4 and 99 more: second factors other than authenticator apps/);
    expect(brought.said).toContain('users.csv, line 1006: people who sign in through SSO of Supabase');
    for (const person of oneOfEach(people)) await expectSignIn(world, person);
    const [ada] = await world.db.select().from(members);
    expect(ada).toMatchObject({
      username: `Ada Miller ${ada?.id}`,
      createdAtMs: Date.parse('2021-03-04T05:06:07.891Z'),
      bannedAtMs: null,
    });
    expect(await world.db.select().from(mailOutbox)).toEqual([]);
    expect((await world.bring(files, '--from', 'supabase')).counts).toEqual([0, 900, 104, 0]);
    await using other = await startForeignImportWorld(dialect);
    const later = people.map(({ id }) => [id, 'a table that is not read '.repeat(10)]);
    const dump = dumpOf({ ...tables, sessions: [['id', 'about'], ...later] });
    const dumped = await other.bring({ 'users.sql': dump }, '--from', 'supabase');
    expect(dumped.counts).toEqual(brought.counts);
    expect(dumped.said).toMatch(/bytes █+ 100 %/);
    expect(dumped.said).toContain('line 1008: was deleted there');
    for (const person of oneOfEach(people)) await expectSignIn(other, person);
    const wrong = {
      ...files,
      'mfa_factors.csv': csvOf([
        ['id', 'user_id', 'secret'],
        ['a', 'u-1'],
      ]),
    };
    await expect(other.bring(wrong, '--from', 'supabase')).rejects.toThrow(
      'mfa_factors.csv, line 2: has no user_id, or another number of fields than the first line.',
    );
    const inserts = '-- A dump\nINSERT INTO auth.users VALUES (1);\n';
    await expect(other.bring({ 'users.sql': inserts }, '--from', 'supabase')).rejects.toThrow(
      'users.sql has no rows of auth.users as COPY writes them',
    );
  });
}
