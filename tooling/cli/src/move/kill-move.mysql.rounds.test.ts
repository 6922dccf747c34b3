import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import { isStressRun, printMeasurements, rounds, type TestDialect } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type MoveWorld, startMoveWorld } from '../test/move-world.js';

const CLI = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const DIALECTS: readonly TestDialect[] = ['libsql', 'mysql'];

/** How many rows of all kinds there are for each person, in the old database of the test. */
const ROWS_OF_A_PERSON = 2.2;

/** Rows of one transaction. */
const ROWS_AT_ONCE = 100;

/** The longest wait before a kill: about that of two transactions. */
const LONGEST_MS = 100;

/** How many transactions have written rows: each writes one line of the audit log. */
async function countBatches({ database }: MoveWorld): Promise<number> {
  const [last] = await listAudit(database, { action: 'rows.imported' }, { limit: 1 });
  return last?.id ?? 0;
}

/**
 * Starts the built command, and kills it a while after a given number of transactions, also after one of its own, unless it has
 * ended.
 */
async function runAndKill(
  mover: MoveWorld,
  { batches, afterMs }: { readonly batches: number; readonly afterMs: number },
): Promise<'killed' | 'ended'> {
  const least = Math.max(batches, (await countBatches(mover)) + 1);
  const child = spawn(
    process.execPath,
    [CLI, 'move', 'run', '--from', mover.old.url, '--map', 'move-map.yaml', '--plain-passwords'],
    { env: mover.env, stdio: 'ignore' },
  );
  const ended = once(child, 'exit').then(() => true);
  let isOver = false;
  while (!isOver && (await countBatches(mover)) < least)
    isOver = await Promise.race([ended, pause(10, false)]);
  if (!isOver) isOver = await Promise.race([ended, pause(afterMs, false)]);
  if (!isOver) child.kill('SIGKILL');
  await ended;
  return isOver ? 'ended' : 'killed';
}

/** Random transactions of the first nine tenths of a move, so that none of the kills comes too late. */
function killPoints(kills: number, people: number): number[] {
  const most = Math.ceil((0.9 * people * ROWS_OF_A_PERSON) / ROWS_AT_ONCE);
  return Array.from({ length: kills }, (_, at) => (at === 0 ? 0 : randomInt(most))).toSorted(
    (one, other) => one - other,
  );
}

describe.each(DIALECTS)('a move into %s that is killed', { timeout: 3_600_000 }, (dialect) => {
  it('loses nothing and moves nothing twice when it is run again', async () => {
    const kills = rounds({ suite: 2, stress: 100 });
    const people = rounds({ suite: 300, stress: 20_000 });
    // At full size a move would spend nearly all of its time on hashes, and few kills would hit a transaction.
    await using mover = await startMoveWorld(dialect, people, { takesHashes: !isStressRun() });
    await mover.run('plan');
    let killed = 0;
    for (const batches of killPoints(kills, people)) {
      const afterMs = killed === 0 ? 0 : randomInt(LONGEST_MS);
      if ((await runAndKill(mover, { batches, afterMs })) === 'killed') killed += 1;
    }
    expect(killed).toBeGreaterThanOrEqual(rounds({ suite: 1, stress: 100 }));
    await mover.run('run', '--map', 'move-map.yaml');
    const flawed = mover.people.filter(({ flaw }) => flaw !== undefined && flaw !== 'damaged').length;
    const { members, memberships, messages, movedRows } = mover.database.tables;
    const count = async (table: typeof members | typeof memberships | typeof messages | typeof movedRows) =>
      (await mover.database.select().from(table)).length;
    const here = [await count(members), await count(memberships), await count(messages)];
    expect(here).toEqual([people - flawed, people - flawed, 2]);
    const lines = await listAudit(mover.database, { action: 'rows.imported' }, { limit: 100_000 });
    const added = (kind: string) =>
      lines.reduce((sum, { after }) => sum + Number(Reflect.get(Object(after), kind) ?? 0), 0);
    expect([added('member'), added('membership'), added('messages')]).toEqual(here);
    const { said } = await mover.run('check', '--map', 'move-map.yaml');
    expect(said.filter((line) => /"is":"(different|changed|not here)/.test(line))).toEqual([]);
    // Some rows of these kinds have a flaw, and one connection names no person. All others are here.
    const fewer = said.flatMap((line) => /"kind":"(\w+)","is":"count"/.exec(line)?.[1] ?? []);
    expect(fewer).toEqual(['members', 'memberships', 'connections']);
    printMeasurements('a move is killed with kill -9, and run again', {
      people,
      kills: killed,
      rows: await count(movedRows),
      lost: 0,
      twice: 0,
    });
  });
});
