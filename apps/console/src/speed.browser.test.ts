import { printMeasurements } from '@gatehouse/testkit';
import { latestPaint, measurePaint, median } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { openConsole, signInAs } from './test/open-console.js';

const dialect = inject('dialect');

const SLOWER = 4;
const VISITS = 5;
/** Other work of the machine slowed down all of the first visits. */
const MAX_VISITS = 15;
/** At a quarter of a processor, from this machine. */
const MAX_MS = 1_400;
/** The screen loads data and code that a bare page does not have. */
const TIMES_BARE = 7;
const MAX_SHIFT = 0.02;

it('the console paints its first screen within 1.4 seconds on a slow processor, and shifts nothing afterwards', async () => {
  await using console = await openConsole(dialect);
  const { page, at } = console;
  await signInAs(console, 'root@gatehouse.test', 'members');
  const context = page.context();
  const seen = { bare: [] as number[], members: [] as number[], shift: [] as number[] };
  // The quickest of the visits: other work of the machine only makes visits slower.
  const quickest = () => {
    const [bareMs, membersMs] = [seen.bare, seen.members].map((all) => Math.round(Math.min(...all)));
    return { bareMs: bareMs ?? 0, membersMs: membersMs ?? 0 };
  };
  const isQuick = () => quickest().membersMs < latestPaint(MAX_MS, { ...quickest(), timesBare: TIMES_BARE });
  for (let round = 0; round < VISITS || (round < MAX_VISITS && !isQuick()); round += 1) {
    const bare = await measurePaint(await context.newPage(), new URL('/', at('')).href, {
      slower: SLOWER,
    });
    const members = await measurePaint(await context.newPage(), at('members'), { slower: SLOWER });
    seen.bare.push(bare.ms);
    seen.members.push(members.ms);
    seen.shift.push(members.shift);
  }
  const { bareMs, membersMs } = quickest();
  const shift = median(seen.shift);
  printMeasurements('the first screen of the console is painted, at a quarter of a processor', {
    bareMs,
    membersMs,
    shift,
  });
  expect(membersMs, `${membersMs} ms beside ${bareMs} ms of a bare page`).toBeLessThan(
    latestPaint(MAX_MS, { bareMs, timesBare: TIMES_BARE }),
  );
  expect(shift).toBeLessThan(MAX_SHIFT);
});
