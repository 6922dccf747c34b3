import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { printMeasurements, rounds, type TestDialect } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { type MoveWorld, startMoveWorld } from '../test/move-world.js';

const CLI = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const DIALECTS: readonly TestDialect[] = ['libsql', 'mysql'];

/** The most memory that a step may take, however many members there are. */
const MOST_MIB = 400;

/** Runs a step of the built command. Returns the seconds it took, and its maximum memory. */
async function timed({ old, env }: MoveWorld, ...args: string[]) {
  const startMs = Date.now();
  const child = spawn(process.execPath, [CLI, 'move', ...args, '--from', old.url], {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  let mostMib = 0;
  const look = setInterval(() => {
    readFile(`/proc/${child.pid}/status`, 'utf8').then(
      (status) => {
        const [, kib = '0'] = /VmHWM:\s*(\d+) kB/.exec(status) ?? [];
        mostMib = Math.max(mostMib, Math.round(Number(kib) / 1024));
      },
      () => undefined,
    );
  }, 50);
  const [code] = (await once(child, 'exit')) as [number | null];
  clearInterval(look);
  return { code, seconds: Math.round((Date.now() - startMs) / 1000), mostMib };
}

describe.each(DIALECTS)('a move into %s', { timeout: 4 * 3_600_000 }, (dialect) => {
  it('takes no more memory for many members than for few', async () => {
    const count = rounds({ suite: 400, stress: 1_000_000 });
    await using mover = await startMoveWorld(dialect, count, { takesHashes: false });
    await mover.run('plan');
    const map = ['--map', 'move-map.yaml'];
    const first = await timed(mover, 'run', ...map);
    const second = await timed(mover, 'run', ...map);
    const check = await timed(mover, 'check', ...map);
    // Some of the people have a flaw, so that each step reports that they were not moved.
    expect([first.code, second.code, check.code]).toEqual([1, 1, 1]);
    expect(await mover.countMembers()).toBeGreaterThan(count * 0.97);
    for (const { mostMib } of [first, second, check]) {
      expect(mostMib).toBeGreaterThan(0);
      expect(mostMib).toBeLessThan(MOST_MIB);
    }
    printMeasurements('a move of members whose passwords take no hash on the way', {
      members: count,
      firstSeconds: first.seconds,
      secondSeconds: second.seconds,
      checkSeconds: check.seconds,
      mostMib: Math.max(first.mostMib, second.mostMib, check.mostMib),
    });
  });
});
