import { randomBytes } from 'node:crypto';
import { readdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { toBase32 } from '@gatehouse/auth-core';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import { FOREIGN_VECTORS } from '@gatehouse/runtime/test/foreign-vectors';
import type { TestDialect } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { exportData } from '../commands/export-data.js';
import { importRows } from '../commands/import-rows.js';
import { keycloakPassword } from '../export/keycloak-password.js';
import { expectSignIn } from './expect-foreign-sign-in.js';
import { type ExportWorld, startExportWorld } from './export-world.js';
import { startForeignImportWorld } from './foreign-import-world.js';

const PASSWORD = 'Lantern-Harbor-42';

/** One of each form of a hash. */
const VECTORS = FOREIGN_VECTORS.filter(([, plain]) => plain === PASSWORD);

const person = (id: number, more: object = {}) => ({
  member: {
    id,
    sid: `p${id}@many.test`,
    username: `Näme ${id}`,
    firstName: `Zoë ${id}`,
    lastName: 'Ö "Mill"',
    role_type: 5,
    confirmed: true,
    createdAt: 1_600_000_000_000 + id,
    ...more,
  },
});

const [FIRST_VECTOR, OWNER, UNCONFIRMED, BANNED, DELETED] = [100, 1, 2, 3, 4];

const LINES = [
  person(OWNER, { plainPassword: PASSWORD }),
  person(UNCONFIRMED, { confirmed: false }),
  person(BANNED, { isBanned: true, plainPassword: PASSWORD }),
  person(DELETED, { isDeleted: true }),
  ...VECTORS.map(([, , password], at) => person(FIRST_VECTOR + at, { password })),
  { account: { id: 7, name: 'Old/Mill', ownerId: OWNER } },
  { membership: { memberId: OWNER, accountId: 7, roleType: 1 } },
  { membership: { memberId: UNCONFIRMED, accountId: 7, roleType: 2 } },
  { connection: { memberId: OWNER, provider: 'github', id: 'gh-1', displayName: 'Zoë' } },
];

async function startPeople(dialect: TestDialect, totp: string): Promise<ExportWorld> {
  const world = await startExportWorld(dialect);
  const lines = [...LINES, { totp: { memberId: OWNER, secret: totp } }];
  await writeFile(join(world.path, 'rows.ndjson'), lines.map((line) => `${JSON.stringify(line)}\n`).join(''));
  const { code, said } = await world.run(importRows, 'rows.ndjson');
  expect([code, said]).toEqual([0, expect.stringContaining('0 lines with a problem')]);
  return world;
}

/** What a realm for Keycloak guarantees, on one database. */
export function checkKeycloakRealms(dialect: TestDialect): void {
  it('an exported realm for Keycloak contains everybody, and they sign in with password and authenticator app after its import', async () => {
    const totp = toBase32(randomBytes(20));
    await using source = await startPeople(dialect, totp);
    const options = ['--format', 'keycloak', '--to', 'realm.json', '--with-secrets'];
    const { code, said } = await source.run(exportData, ...options);
    expect([code, said]).toEqual([0, expect.stringContaining('have a password by bcrypt')]);
    const path = join(source.path, 'realm.json');
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    const content = await readFile(path, 'utf8');
    await using target = await startForeignImportWorld(dialect);
    await target.write('roles.yaml', 'owner: owner\nmanager: manager\n"*": userMember\n');
    const brought = await target.bring(
      { 'realm.json': content },
      '--from',
      'keycloak',
      '--map',
      'roles.yaml',
    );
    expect(brought.said).not.toContain('problem:');
    const peopleIn = async ({ db }: Pick<ExportWorld, 'db'>) => {
      const rows = await db.select().from(db.tables.members);
      return rows
        .filter(({ isDeleted }) => !isDeleted)
        .map((row) => ({
          email: row.email,
          usernameKey: row.usernameKey,
          firstName: row.firstName,
          lastName: row.lastName,
          isConfirmed: row.emailConfirmedAtMs !== null,
          isBanned: row.bannedRoleType !== null,
          createdAtMs: row.createdAtMs,
        }))
        .toSorted((one, other) => one.createdAtMs - other.createdAtMs);
    };
    expect(await peopleIn(target)).toEqual(await peopleIn(source));
    const { accounts, memberships, socialConnections } = target.db.tables;
    expect(await target.db.select().from(accounts)).toMatchObject([{ name: 'Old-Mill (7)' }]);
    const places = await target.db.select().from(memberships);
    expect(new Set(places.map(({ roleType }) => roleType))).toEqual(new Set([1, 2]));
    expect(await target.db.select().from(socialConnections)).toMatchObject([{ providerUserId: 'gh-1' }]);
    const known = VECTORS.flatMap(([kind, , text], at) =>
      keycloakPassword(`$foreign$${kind}$${text}`) === undefined ? [] : [FIRST_VECTOR + at],
    );
    // Three forms of Argon2, and PBKDF2 by SHA-256 and SHA-512 of several systems.
    expect(known.length).toBeGreaterThanOrEqual(7);
    for (const id of [OWNER, ...known])
      await expectSignIn(target, {
        email: `p${id}@many.test`,
        password: PASSWORD,
        oddity: 'plain',
        isDisabled: false,
        providers: {},
        totp: id === OWNER ? totp : undefined,
      });
    const { users } = JSON.parse(content) as { users: { username: string; credentials: unknown[] }[] };
    const without = users.filter(({ credentials }) => credentials.length === 0).length;
    // A person without a password, and one whose hash Keycloak does not know.
    expect(without).toBe(1 + VECTORS.length - known.length);
  });

  it('an exported realm for Keycloak contains nothing from a killed run, and its export removes no other file', async () => {
    await using source = await startExportWorld(dialect);
    const others = ['realm.json.part', 'other.json.0123456789ab.part', 'realm.json.0123456789abc.part'];
    for (const name of [...others, 'realm.json.0123456789ab.part'])
      await writeFile(join(source.path, name), 'half');
    const args = ['--format', 'keycloak', '--with-secrets', '--to', 'realm.json'];
    expect((await source.run(exportData, ...args)).code).toBe(0);
    expect((await readdir(source.path)).toSorted()).toEqual([...others, 'realm.json'].toSorted());
  });

  it('an exported realm for Keycloak has no secrets unless requested, and replaces no file', async () => {
    const totp = toBase32(randomBytes(20));
    await using source = await startPeople(dialect, totp);
    const toFile = ['--format', 'keycloak', '--to', 'realm.json'];
    expect((await source.run(exportData, ...toFile)).code).toBe(0);
    const content = await readFile(join(source.path, 'realm.json'), 'utf8');
    for (const secret of [totp, '$2b$', 'secretData', ...VECTORS.map(([, , text]) => text)])
      expect([secret, content.includes(secret)]).toEqual([secret, false]);
    await expect(source.run(exportData, ...toFile)).rejects.toThrow('There is something already');
    expect(await readFile(join(source.path, 'realm.json'), 'utf8')).toBe(content);
    const lines = await listAudit(source.db, { action: 'database.exported' }, { limit: 9 });
    expect(lines.map(({ after }) => after)).toContainEqual({ format: 'keycloak', withSecrets: false });
    expect((await source.run(exportData, ...toFile, '--key-file', 'key')).code).toBe(2);
    expect((await source.run(exportData, '--format', 'other', '--to', 'x')).code).toBe(2);
  });
}
