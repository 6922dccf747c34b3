import type { AccessTransaction } from '@gatehouse/db/queries/change-access';
import type { StaffTransaction } from '@gatehouse/db/queries/change-staff-status';
import type { BrowserContext, Page, Request } from 'playwright-core';

const MAX_MS = 15_000;

/** The longest time until the result is shown. */
const TWO_FRAMES =
  'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(undefined))))';

const asked = new WeakMap<BrowserContext, Set<Request>>();

/** Counts the open requests of the pages of a context. */
export function countRequests(context: BrowserContext): void {
  const open = new Set<Request>();
  asked.set(context, open);
  context.on('request', (request) => open.add(request));
  context.on('requestfinished', (request) => open.delete(request));
  context.on('requestfailed', (request) => open.delete(request));
}

/**
 * Waits until a page has got every answer, and shows it. Unlike `networkidle`, which waits for half a second of silence.
 * @throws Error if the page still waits for something after 15 s
 */
export async function settle(page: Page): Promise<void> {
  const open = asked.get(page.context());
  if (open === undefined) throw new Error('the page is of no browser that was opened for a test');
  const latest = Date.now() + MAX_MS;
  for (let quietTimes = 0; quietTimes < 2; ) {
    await page.evaluate(TWO_FRAMES);
    quietTimes = open.size === 0 ? quietTimes + 1 : 0;
    if (Date.now() > latest)
      throw new Error(`still waits for ${[...open].map((each) => each.url()).join(', ')}`);
  }
}

/** Changes staff as a program with access to the database could: without the side effects of `changeStaff`. */
export function unsettled(tx: AccessTransaction): StaffTransaction {
  return { ...tx, settlesStaff: true };
}
