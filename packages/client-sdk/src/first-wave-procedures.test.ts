import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ADMIN_CALLS } from './test/first-wave-admin-calls.js';
import { MAIN_CALLS } from './test/first-wave-main-calls.js';
import { type FirstWaveWorld, startFirstWaveWorld } from './test/first-wave-world.js';
import { loadFirstWave } from './test/load-first-wave.js';
import { flawsOf, publishedProcedures } from './test/published-procedures.js';

/** Its `status` took the place of the envelope's over REST, so that all it answers moved into `data`. */
const MOVED_INTO_DATA = new Set(['webhook.detail']);

const CALLS = { main: MAIN_CALLS, admin: ADMIN_CALLS };

await using wave = await loadFirstWave();
const published = {
  main: await publishedProcedures(wave.declarations('main')),
  admin: await publishedProcedures(wave.declarations('admin')),
};

describe.each(['main', 'admin'] as const)('the published %s client of the first wave', (entry) => {
  let world: FirstWaveWorld;
  beforeAll(async () => {
    world = await startFirstWaveWorld();
  });
  afterAll(() => world[Symbol.asyncDispose]());

  it('is called with every procedure it has, and no other', () => {
    expect(published[entry].size).toBe({ main: 37, admin: 49 }[entry]);
    expect(Object.keys(CALLS[entry]).toSorted()).toEqual([...published[entry].keys()].toSorted());
  });

  it.each([...published[entry]])('still gets from %s what its types promise', async (name, output) => {
    const call = CALLS[entry][name];
    if (call === undefined) throw new Error(`${name} is not called`);
    const answer = await call(world);
    const given = MOVED_INTO_DATA.has(name) ? (answer as { data: unknown }).data : answer;
    expect(flawsOf(given, output)).toEqual([]);
  });
});
