import type { Database } from '@gatehouse/db/database';
import {
  createReplacedDatabase,
  createTestDatabase,
  createTestFolder,
  type ReplacedTestDatabase,
  type TestDialect,
  testEnvironment,
} from '@gatehouse/testkit';
import { move } from '../commands/move.js';
import { insertReplacedPeople, type ReplacedPerson } from './replaced-people.js';

/** An old database with people, an empty one of ours, and the command between them. */
export interface MoveWorld extends AsyncDisposable {
  readonly old: ReplacedTestDatabase;
  readonly people: readonly ReplacedPerson[];
  readonly database: Database;
  readonly folder: string;
  readonly env: Readonly<Record<string, string>>;
  countMembers(): Promise<number>;
  /** Runs `gatehouse move` with these arguments. */
  run(...args: string[]): Promise<{ code: number; said: string[] }>;
}

/**
 * Starts one with this many people.
 * @param takesHashes whether some passwords are in plain text or of a low cost
 * @param arePlain whether each command is told that texts that are not hashes are passwords
 */
export async function startMoveWorld(
  dialect: TestDialect,
  count: number,
  {
    takesHashes = true,
    arePlain = true,
  }: { readonly takesHashes?: boolean; readonly arePlain?: boolean } = {},
): Promise<MoveWorld> {
  const folder = await createTestFolder();
  const own = await createTestDatabase(dialect);
  const old = await createReplacedDatabase();
  const people = await insertReplacedPeople(old, count, { takesHashes });
  const env = { ...testEnvironment(), NODE_ENV: 'development', DATABASE_URL: own.url, INIT_CWD: folder.path };
  return {
    old,
    people,
    database: own.database,
    folder: folder.path,
    env,
    async countMembers() {
      const { members } = own.database.tables;
      return (await own.database.select({ id: members.id }).from(members)).length;
    },
    async run(...args) {
      const said: string[] = [];
      const say = (line: string) => void said.push(line);
      const all = [...args, '--from', old.url, ...(arePlain ? ['--plain-passwords'] : [])];
      const code = await move.run({ args: all, env, say, draw: () => undefined });
      return { code, said };
    },
    async [Symbol.asyncDispose]() {
      for (const each of [old, own, folder]) await each[Symbol.asyncDispose]();
    },
  };
}
