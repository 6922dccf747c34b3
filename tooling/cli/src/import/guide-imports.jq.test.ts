// @module-tag slow

import { execFile } from 'node:child_process';
import { pbkdf2Sync } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { gzipSync } from 'node:zlib';
import { hashPassword } from '@gatehouse/auth-core';
import { blockOf } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { type ForeignImportWorld, startForeignImportWorld } from '../test/foreign-import-world.js';
import { readCommands } from '../test/read-commands.js';

const run = promisify(execFile);
const PASSWORD = 'Lantern-Harbor-42';

const lines = (...rows: readonly object[]) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');

/**
 * Writes the files that an operator has before the commands of a guide, and plays the programs of the other system as scripts.
 */
async function prepare(
  world: ForeignImportWorld,
  files: Readonly<Record<string, string | Buffer>>,
  programs: Readonly<Record<string, string>> = {},
): Promise<void> {
  const scripts = Object.entries(programs).map(
    ([name, script]) => [name, `#!/bin/bash\n${script}\n`] as const,
  );
  for (const [name, content] of [...Object.entries(files), ...scripts]) {
    const path = `${world.path}/${name}`;
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, content, name in programs ? { mode: 0o755 } : {});
  }
}

/** Runs the commands of a guide, those of this program last. Returns their counts. */
async function follow(world: ForeignImportWorld, ...blocks: readonly string[]) {
  const ended: Awaited<ReturnType<ForeignImportWorld['bring']>>[] = [];
  for (const block of blocks) {
    const { commands, others } = readCommands(block);
    const script = `export PATH="$PWD/programs:$PATH" OLD_DATABASE=old\n${others}`;
    await run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', script], { cwd: world.path });
    for (const [command, ...args] of commands) {
      expect(command).toBe('import');
      ended.push(await world.bring({}, ...args));
    }
  }
  return ended.map(({ code, said, counts }) => [code, counts, code === 0 ? '' : said]);
}

const added = (rows: number) => [0, [rows, 0, 0, 0], ''];

it('the records that the guide to imports shows are imported', async () => {
  await using world = await startForeignImportWorld('libsql');
  const hash = await hashPassword(PASSWORD);
  const staff = { id: 72, sid: 'ben@mill.test', username: 'ben', role_type: 6, isPersonnel: 1 };
  const rows = blockOf('docs/importing.md', '{"member":{"id":70')
    .replace('$2b$10$…', hash)
    .replace('cus_…', 'cus_1')
    .replace('"secretKey":"…"', `"secretKey":"${'s'.repeat(32)}"`);
  await prepare(world, { 'rows.ndjson': lines({ member: staff }) + rows });
  const ended = await follow(world, blockOf('docs/importing.md', 'import rows.ndjson'));
  expect(ended).toEqual([added(7), added(7)]);
});

it('the table that the guide to CSV shows is imported, and people sign in as the guide to imports says', async () => {
  await using world = await startForeignImportWorld('libsql');
  const django = pbkdf2Sync(PASSWORD, 'salt', 600_000, 32, 'sha256').toString('base64');
  const people = blockOf('docs/importing/csv.md', '17,zoe@mill.test')
    .replace('$2b$10$…', await hashPassword(PASSWORD))
    .replace('pbkdf2_sha256$600000$…', `pbkdf2_sha256$600000$salt$${django}`);
  await prepare(world, { 'people.csv': people });
  const ended = await follow(world, blockOf('docs/importing/csv.md', 'import --from csv'));
  expect(ended).toEqual([added(2), added(2)]);
  const script = blockOf('docs/importing.md', '/v1/signIn/password')
    .replace('http://127.0.0.1:4000', world.service.url)
    .replace('…', PASSWORD);
  const { stdout } = await run('bash', ['--norc', '-c', script]);
  expect(stdout).toContain('"token":"');
});

it('the commands of the guide to Auth0 fetch and import every page of what Auth0 answers', async () => {
  await using world = await startForeignImportWorld('libsql');
  const user = { user_id: 'auth0|1', email: 'zoe@mill.test', email_verified: true, name: 'Zoe Mill' };
  const password = { _id: { $oid: '1' }, email: user.email, passwordHash: await hashPassword(PASSWORD) };
  const map = blockOf('docs/importing/auth0.md', 'boss: owner');
  await prepare(
    world,
    {
      'tenant.json.gz': gzipSync(lines(user, { ...user, user_id: 'auth0|2', email: 'ben@mill.test' })),
      'passwords.ndjson': lines({ ...password, connection: 'Username-Password-Authentication' }),
      'old/roles.yaml': map,
    },
    {
      'programs/curl': `case "$*" in
*/org_1/*'fields=user_id,roles&from=a%2Bb'*) echo '{"members":[{"user_id":"auth0|1","roles":[{"id":"rol_1","name":"boss"}]}]}' ;;
*/org_1/*'fields=user_id,roles'*) echo '{"members":[{"user_id":"auth0|2","roles":[]}],"next":"a+b"}' ;;
*/org_2/*) echo '{"members":[{"user_id":"auth0|2","roles":[{"id":"rol_1","name":"boss"}]}]}' ;;
*'/organizations?take=100&from=a%2Bb'*) echo '{"organizations":[{"id":"org_2","name":"new-mill"}]}' ;;
*'/organizations?take=100'*) echo '{"organizations":[{"id":"org_1","name":"mill","display_name":"Old Mill"}],"next":"a+b"}' ;;
*/jobs/* | *'-o tenant.json.gz https://'*) ;;
*) exit 1 ;;
esac`,
    },
  );
  const guide = (text: string) => blockOf('docs/importing/auth0.md', text);
  // The second block uses the function that the first defines.
  const fetched = `${guide('auth0()')}\n${guide('> organizations.ndjson')}`;
  // Two people, two organizations, and three members of them.
  expect(await follow(world, fetched, guide('gatehouse import'))).toEqual([added(7)]);
});

it('the commands of the guide to Clerk fetch and import every page of what Clerk answers', async () => {
  await using world = await startForeignImportWorld('libsql');
  const header =
    'id,first_name,last_name,username,primary_email_address,primary_phone_number,verified_email_addresses,unverified_email_addresses,verified_phone_numbers,unverified_phone_numbers,totp_secret,password_digest,password_hasher';
  const hash = await hashPassword(PASSWORD);
  const user = (id: string, email: string) => `${id},Zoe,Mill,,${email},,${email},,,,,${hash},bcrypt\n`;
  const membership = (userId: string, role: string, organizationId = 'org_1') =>
    JSON.stringify({
      object: 'organization_membership',
      organization: { id: organizationId },
      public_user_data: { user_id: userId },
      role,
    });
  await prepare(
    world,
    { 'users.csv': `${header}\n${user('user_1', 'zoe@mill.test')}${user('user_2', 'ben@mill.test')}` },
    {
      'programs/curl': `case "$*" in
*/org_1/*'offset=0 '*) echo '{"data":[${membership('user_2', 'org:member')}]}' ;;
*/org_1/*'offset=500 '*) echo '{"data":[${membership('user_1', 'org:admin')}]}' ;;
*/org_2/*'offset=0 '*) echo '{"data":[${membership('user_2', 'org:admin', 'org_2')}]}' ;;
*/org_*) echo '{"data":[]}' ;;
*/organizations*'offset=500 '*) echo '{"data":[{"id":"org_1","name":"Old Mill"}]}' ;;
*/organizations*'offset=0 '*) echo '{"data":[{"id":"org_2","name":"New Mill"}]}' ;;
*'offset='*) echo '{"data":[]}' ;;
*) exit 1 ;;
esac`,
    },
  );
  const block = blockOf('docs/importing/clerk.md', 'gatehouse import');
  expect(await follow(world, block)).toEqual([added(7)]);
});

it('the commands of the guide to Cognito turn the answer of its client into a table that is imported', async () => {
  await using world = await startForeignImportWorld('libsql');
  const attributes = { sub: 'u-1', name: 'Zoe "Z" Mill', email: 'zoe@mill.test', email_verified: 'true' };
  const Attributes = Object.entries(attributes).map(([Name, Value]) => ({ Name, Value }));
  const answer = JSON.stringify({ Users: [{ Username: 'zoe', Enabled: true, Attributes }] });
  await prepare(world, {}, { 'programs/aws': `cat <<'END'\n${answer}\nEND` });
  const block = blockOf('docs/importing/cognito.md', 'gatehouse import');
  expect(await follow(world, block)).toEqual([added(1)]);
});

it('the commands of the guide to Better Auth import its tables from the database', async () => {
  await using world = await startForeignImportWorld('libsql', {
    BETTER_AUTH_SECRET: 'a-secret-of-better-auth-4711',
  });
  const at = { createdAt: '2024-05-06T07:08:09.000Z', updatedAt: '2024-05-06T07:08:09.000Z' };
  const tables = {
    user: { id: 'u-1', name: 'Zoe Mill', email: 'zoe@mill.test', emailVerified: true, image: null, ...at },
    organization: { id: 'o-1', name: 'Old Mill', slug: 'old-mill', ...at },
    member: { id: 'm-1', organizationId: 'o-1', userId: 'u-1', role: 'owner', ...at },
  };
  const cases = Object.entries(tables).map(
    ([name, row]) => `*'from "${name}" t') echo '${JSON.stringify(row)}' ;;`,
  );
  await prepare(
    world,
    {},
    { 'programs/psql': `case "$*" in\n${cases.join('\n')}\n*'" t') ;;\n*) exit 1 ;;\nesac` },
  );
  expect(await follow(world, blockOf('docs/importing/better-auth.md', 'gatehouse import'))).toEqual([
    added(3),
  ]);
});

it('the commands of the guide to Supabase import its tables from the database, one by one and as a dump', async () => {
  await using world = await startForeignImportWorld('libsql');
  const hash = await hashPassword(PASSWORD);
  const columns = [
    'id',
    'email',
    'encrypted_password',
    'email_confirmed_at',
    'raw_user_meta_data',
    'created_at',
  ];
  const row = ['u-1', 'zoe@mill.test', hash, '2021-03-04 05:06:07+00', '{}', '2021-03-04 05:06:07+00'];
  const empty = {
    identities: 'id,provider_id,user_id,identity_data,provider',
    mfa_factors: 'id,user_id,factor_type,status,secret',
  };
  const tables = { users: `${columns.join(',')}\n${row.join(',')}`, ...empty };
  const dump = Object.entries(tables).flatMap(([name, table]) => {
    const [header = '', ...rows] = table.split('\n');
    return [
      `COPY auth.${name} (${header.replaceAll(',', ', ')}) FROM stdin;`,
      ...rows.map((line) => line.replaceAll(',', '\t')),
      '\\.',
    ];
  });
  await prepare(
    world,
    Object.fromEntries(Object.entries(tables).map(([name, table]) => [`tables/${name}`, `${table}\n`])),
    {
      // It writes the file that the command names.
      'programs/psql': `to=$(printf %s "$*" | sed -n "s/.* to '\\(.*\\)\\.csv' csv header$/\\1/p")
cp "tables/$to" "$to.csv"`,
      'programs/pg_dump': `cat <<'END'\n${dump.join('\n')}\nEND`,
    },
  );
  const guide = (text: string) => blockOf('docs/importing/supabase.md', text);
  expect(await follow(world, guide('users.csv'), guide('pg_dump'))).toEqual([added(1), added(1)]);
});

it('the commands of the guides to Firebase and Keycloak import what their clients export', async () => {
  await using world = await startForeignImportWorld('libsql');
  const users = JSON.stringify({ users: [{ localId: '1', email: 'zoe@mill.test', emailVerified: true }] });
  const realm = { id: 'old', realm: 'old', users: [{ id: '2', username: 'ben', email: 'ben@mill.test' }] };
  const config = blockOf('docs/importing/firebase.md', 'hash_config {');
  await prepare(
    world,
    {
      'old/hash-config.txt': config.replace('…', Buffer.alloc(64, 7).toString('base64')),
      'old/roles.yaml': blockOf('docs/importing/keycloak.md', 'boss: owner'),
    },
    {
      'programs/firebase': `echo '${users}' > "$2"`,
      'bin/kc.sh': `echo '${JSON.stringify(realm)}' > "$7"`,
    },
  );
  const firebase = blockOf('docs/importing/firebase.md', 'gatehouse import');
  const keycloak = blockOf('docs/importing/keycloak.md', 'gatehouse import');
  expect(await follow(world, firebase, keycloak)).toEqual([added(1), added(1)]);
});
