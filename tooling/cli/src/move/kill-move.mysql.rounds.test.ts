import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { listAudit } from '@gatehouse/db/queries/audit-log';
import { printMeasurements, rounds, type TestDialect } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type MoveWorld, startMoveWorld } from '../test/move-world.js';

const CLI = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const DIALECTS: readonly TestDialect[] = ['libsql', 'mysql'];

/** The longest wait before a kill. */
const LONGEST_MS = 1_000;

/** Starts the built command, and kills it a while after it has moved rows, unless it has ended. */
async function runAndKill(mover: MoveWorld, afterMs: number): Promise<'killed' | 'ended'> {
  const { database } = mover;
  const moved = async () => (await database.select().from(database.tables.movedRows)).length;
  const before = await moved();
  const child = spawn(
    process.execPath,
    [CLI, 'move', 'run', '--from', mover.old.url, '--map', 'move-map.yaml', '--plain-passwords'],
    { env: mover.env, stdio: 'ignore' },
  );
  const ended = once(child, 'exit').then(() => true);
  let isOver = false;
  while (!isOver && (await moved()) === before) isOver = await Promise.race([ended, pause(20, false)]);
  if (!isOver) isOver = await Promise.race([ended, pause(afterMs, false)]);
  if (!isOver) child.kill('SIGKILL');
  await ended;
  return isOver ? 'ended' : 'killed';
}

describe.each(DIALECTS)('a move into %s that is killed', { timeout: 600_000 }, (dialect) => {
  it('loses nothing and brings nothing twice when it is run again', async () => {
    const kills = rounds({ suite: 2, stress: 100 });
    const people = rounds({ suite: 300, stress: 1000 });
    await using mover = await startMoveWorld(dialect, people);
    await mover.run('plan');
    let killed = 0;
    for (let round = 0; round < kills; round += 1) {
      if ((await runAndKill(mover, round === 0 ? 0 : randomInt(LONGEST_MS))) === 'killed') killed += 1;
    }
    expect(killed).toBeGreaterThan(0);
    await mover.run('run', '--map', 'move-map.yaml');
    const lost = mover.people.filter(({ flaw }) => flaw !== undefined && flaw !== 'damaged').length;
    const { members, memberships, messages, movedRows } = mover.database.tables;
    const count = async (table: typeof members | typeof memberships | typeof messages | typeof movedRows) =>
      (await mover.database.select().from(table)).length;
    expect([await count(members), await count(memberships), await count(messages)]).toEqual([
      people - lost,
      people - lost,
      2,
    ]);
    const lines = await listAudit(mover.database, { action: 'rows.imported' }, { limit: 1_000 });
    const added = (kind: string) =>
      lines.reduce((sum, { after }) => sum + Number(Reflect.get(Object(after), kind) ?? 0), 0);
    expect([added('member'), added('membership'), added('messages')]).toEqual([
      people - lost,
      people - lost,
      2,
    ]);
    const { said } = await mover.run('check', '--map', 'move-map.yaml');
    expect(said.filter((line) => /"is":"(different|changed|not here)/.test(line))).toEqual([]);
    printMeasurements('a move is killed with kill -9, and run again', { kills: killed, lost: 0, twice: 0 });
  });
});
