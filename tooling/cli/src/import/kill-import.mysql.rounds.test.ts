import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { printMeasurements, rounds, type TestDialect, testEnvironment } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { csvOf } from '../test/csv-of.js';
import { expectSignIn } from '../test/expect-foreign-sign-in.js';
import { type ForeignImportWorld, startForeignImportWorld } from '../test/foreign-import-world.js';
import { comers, hashEach, makeForeignPeople, oneOfEach } from '../test/foreign-people.js';

const CLI = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const DIALECTS: readonly TestDialect[] = ['libsql', 'mysql'];

/** The longest wait before a kill. */
const LONGEST_MS = 300;

/** Starts the built command, and kills it a while after it has written the first person, unless it has ended. */
async function importAndKill({ db, url, path }: ForeignImportWorld, afterMs: number): Promise<void> {
  const env = { ...testEnvironment(), DATABASE_URL: url, INIT_CWD: path };
  const args = [CLI, 'import', '--from', 'csv', 'people.csv'];
  const child = spawn(process.execPath, args, { env, stdio: 'ignore' });
  const ended = once(child, 'exit').then(() => true);
  const begun = async () => (await db.select().from(db.tables.members).limit(1)).length > 0;
  let isOver = false;
  while (!isOver && !(await begun())) isOver = await Promise.race([ended, pause(5, false)]);
  if (!isOver) isOver = await Promise.race([ended, pause(afterMs, false)]);
  if (!isOver) child.kill('SIGKILL');
  await ended;
}

describe.each(DIALECTS)(
  'an import into %s that is killed while a service runs',
  { timeout: 600_000 },
  (dialect) => {
    it('leaves whole people, who can sign in, and adds the others when it is run again', async () => {
      const kills = rounds({ suite: 1, stress: 50 });
      const people = makeForeignPeople(1000);
      const hashes = await hashEach();
      const file = csvOf([
        ['id', 'email', 'confirmed', 'firstName', 'lastName', 'password', 'disabled'],
        ...people.map((each) => [
          each.id,
          each.email,
          each.isConfirmed,
          each.firstName,
          each.lastName,
          hashes.get(each.oddity),
          each.isDisabled,
        ]),
      ]);
      const all = comers(people).length;
      let halves = 0;
      for (let round = 0; round < kills; round += 1) {
        await using world = await startForeignImportWorld(dialect);
        await world.write('people.csv', file);
        await importAndKill(world, round === 0 ? 0 : randomInt(LONGEST_MS));
        const { foreignIds, members } = world.db.tables;
        const there = (await world.db.select().from(members)).length;
        expect((await world.db.select().from(foreignIds)).length).toBe(there);
        if (there < all) halves += 1;
        // The first transaction was imported whole, and has a person of each kind.
        for (const person of oneOfEach(people))
          await expectSignIn(world, { ...person, totp: undefined, providers: {} });
        const again = await world.bring({}, '--from', 'csv', 'people.csv');
        expect(again.counts).toEqual([all - there, there, 100, 0]);
        expect((await world.db.select().from(members)).length).toBe(all);
        const last = people.filter(({ oddity }) => oddity === 'right to left').at(-1);
        if (last === undefined) expect.unreachable();
        await expectSignIn(world, { ...last, providers: {} });
      }
      expect(halves).toBeGreaterThan(0);
      printMeasurements('an import is killed with kill -9, and run again', { kills, halves, lost: 0 });
    });
  },
);
