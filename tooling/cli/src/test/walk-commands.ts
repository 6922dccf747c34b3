import { writeFile } from 'node:fs/promises';
import { createRoles, randomId, staffAuthorityChange } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findAccessSnapshot } from '@gatehouse/db/queries/find-access-snapshot';
import {
  createTestDatabase,
  createTestFolder,
  insertTestMember,
  seedTestDatabase,
  type TestDialect,
  type TestMember,
  type TestMemberOptions,
  testEnvironment,
} from '@gatehouse/testkit';
import { COMMANDS } from '../commands.js';

const roles = createRoles();

type Person = Pick<TestMember, 'id' | 'email'>;

/** The arguments with which a command comes closest to giving a person staff authority. */
type Arguments = (person: Person) => readonly string[];

const NONE: Arguments = () => [];
const named =
  (...args: readonly string[]): Arguments =>
  ({ email }) => [...args, '--email', email];

/** Every command that opens the database of the services; null for the others. */
export const ARGUMENTS: Readonly<Record<string, Arguments | null>> = {
  migrate: NONE,
  grants: null,
  'prune-audit': NONE,
  backup: null,
  restore: null,
  'after-restore': NONE,
  'hash-passwords': NONE,
  hashes: NONE,
  'canonical-addresses': () => ['--apply'],
  'seed-demo': NONE,
  'seed-load': () => ['--members', '10'],
  import: () => ['rows.ndjson'],
  // It needs a database of the replaced system, and gives authority through the same writers as the import.
  move: null,
  record: null,
  shadow: null,
  export: () => ['--to', 'exported'],
  doctor: NONE,
  start: null,
  'create-personnel': named('--first-name', 'New', '--last-name', 'Lind', '--role', '0'),
  'staff-ticket': named(),
  keys: () => ['list'],
  'add-partner': () => ['another', 'https://another.test'],
  'rotate-partner-secret': () => ['another'],
  'deactivate-partner': () => ['another'],
  'link-partner-members': () => ['another', 'rows.ndjson'],
  events: () => ['redeliver', '1', '--from', '2020-01-01', '--to', '2040-01-01'],
  webhooks: () => ['list'],
  billing: () => ['reconcile'],
  mails: () => ['list'],
  'preview-mails': null,
  openapi: null,
};

/** Creates the database in which the commands run. Without options it has no members. */
export const PEOPLE: Readonly<Record<string, TestMemberOptions | undefined>> = {
  nobody: undefined,
  'a member': { isConfirmed: true, isProven: false },
  'a colleague': { roleType: 6, isPersonnel: true, grants: [2], isConfirmed: true, isProven: false },
};

/** The result of a command. */
export interface CommandEffect {
  readonly command: string;
  readonly code: number;
  /** Whether the person gained authority as staff. */
  readonly isRaised: boolean;
  /** The addresses of other staff who can sign in, and whose address nobody has proven. */
  readonly unproven: readonly (string | null)[];
}

/** Runs every command over a database, one after the other, about a person whose address nobody has proven. */
export async function walkCommands(
  dialect: TestDialect,
  options: TestMemberOptions | undefined,
): Promise<readonly CommandEffect[]> {
  await using folder = await createTestFolder();
  await using own = await createTestDatabase(dialect);
  const { database: db, url } = own;
  if (options !== undefined) await seedTestDatabase(db);
  const stranger = { id: 777, email: `${randomId()}@many.test` };
  const person: Person = options === undefined ? stranger : await insertTestMember(db, options);
  await writeFile(`${folder.path}/rows.ndjson`, linesAbout(options === undefined ? [] : [person]));
  const env = { ...testEnvironment(), NODE_ENV: 'development', DATABASE_URL: url, INIT_CWD: folder.path };
  const effects: CommandEffect[] = [];
  for (const { name, run } of COMMANDS) {
    const args = ARGUMENTS[name];
    if (args === null || args === undefined) continue;
    const before = await authorityOf(db, person);
    const silent = () => undefined;
    const code = await run({ args: args(person), env, say: silent, draw: silent });
    const change = staffAuthorityChange(roles, before, await authorityOf(db, person));
    const isRaised = options !== undefined && change === 'rise';
    effects.push({ command: name, code, isRaised, unproven: await unprovenStaff(db, person) });
  }
  return effects;
}

/** Lines that make the person staff, give them accounts, and add a new colleague with a password. */
function linesAbout(people: readonly Person[]): string {
  const staff = { role_type: 0, password: 'Lantern-Harbor-42', isPersonnel: true };
  const lines = [
    ...people.flatMap(({ id, email }) => [
      { member: { id, sid: email, username: `raised-${id}`, ...staff } },
      { member: { id: 9_001, sid: email, username: 'second', ...staff } },
    ]),
    { member: { id: 9_002, sid: 'colleague@many.test', username: 'colleague', ...staff } },
    { account: { id: 9_003, name: 'Imported', ownerId: 9_002 } },
    ...people.map(({ id }) => ({ personnelAccess: { personnelId: id, accountId: 9_003 } })),
    { personnelAccess: { personnelId: 9_002, accountId: 9_003 } },
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('');
}

async function authorityOf(db: Database, { id }: Person) {
  const found = await findAccessSnapshot(db, id, Date.now());
  const isStaff = found?.isPersonnel === true && !found.isDeleted;
  return { isStaff, roleType: found?.roleType ?? roles.id.archived, grants: new Set(found?.grants) };
}

async function unprovenStaff(db: Database, person: Person): Promise<(string | null)[]> {
  const rows = await db.select().from(db.tables.members);
  return rows
    .filter(({ id, isPersonnel, hasPassword, ownerProvenAtMs }) => {
      return isPersonnel && id !== person.id && hasPassword && ownerProvenAtMs === null;
    })
    .map(({ email }) => email);
}
