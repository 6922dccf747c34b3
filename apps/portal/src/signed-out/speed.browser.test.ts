import { printMeasurements } from '@gatehouse/testkit';
import { latestPaint, measurePaint, median, type Paint } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { type OpenPortal, openPortal } from '../test/open-portal.js';

const dialect = inject('dialect');

const SLOWER = 4;
const VISITS = 5;
/** At a quarter of a processor, from this machine. */
const MAX_MS = 1_000;
/** The screen loads data and code that a bare page does not have. */
const TIMES_BARE = 5;
const MAX_SHIFT = 0.02;

async function visit({ newPage }: OpenPortal, url: string): Promise<Paint & { asked: readonly string[] }> {
  const page = await newPage({ isOtherPerson: true });
  // Without this the plain page would redirect to the portal.
  await page.route('**/forward.js', (route) => route.abort());
  const asked: string[] = [];
  page.on('request', (request) => asked.push(new URL(request.url()).pathname));
  const paint = await measurePaint(page, url, { slower: SLOWER });
  await page.context().close();
  return { ...paint, asked };
}

it('the portal paints the sign-in within a second on a slow processor, and shifts nothing afterwards', async () => {
  await using portal = await openPortal(dialect, { NODE_ENV: 'test' });
  const seen = { bare: [] as number[], signIn: [] as number[], shift: [] as number[] };
  for (let round = 0; round < VISITS; round += 1) {
    const bare = await visit(portal, new URL('/forgot', portal.at('')).href);
    const signIn = await visit(portal, portal.at('sign-in'));
    seen.bare.push(bare.ms);
    seen.signIn.push(signIn.ms);
    seen.shift.push(signIn.shift);
    // The document contains the settings of the service.
    expect(signIn.asked).not.toContain('/trpc/portal.settings');
  }
  const bareMs = Math.round(median(seen.bare));
  const signInMs = Math.round(median(seen.signIn));
  const shift = median(seen.shift);
  printMeasurements('the sign-in is painted, at a quarter of a processor', { bareMs, signInMs, shift });
  expect(signInMs, `${signInMs} ms beside ${bareMs} ms of a bare page`).toBeLessThan(
    latestPaint(MAX_MS, { bareMs, timesBare: TIMES_BARE }),
  );
  expect(shift).toBeLessThan(MAX_SHIFT);
});
