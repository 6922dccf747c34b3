import type { Page } from './open-console.js';

interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  /** Time of the processor, in microseconds. */
  readonly tdur?: number;
}

/** How long the longest task of a page had the processor during some work, in milliseconds. */
export async function longestTaskOf(page: Page, act: () => Promise<void>): Promise<number> {
  const devtools = await page.context().newCDPSession(page);
  const events: TraceEvent[] = [];
  devtools.on('Tracing.dataCollected', ({ value }) => {
    events.push(...(value as unknown as TraceEvent[]));
  });
  await devtools.send('Tracing.start', {
    traceConfig: { includedCategories: ['toplevel', 'devtools.timeline'] },
  });
  await act();
  const isComplete = new Promise((resolve) => devtools.once('Tracing.tracingComplete', resolve));
  await devtools.send('Tracing.end');
  await isComplete;
  await devtools.detach();
  // Layout is done on the thread that the page's code runs on.
  const layout = events.find(({ name }) => name === 'Layout');
  const tasks = events.filter(
    ({ name, pid, tid }) => name.endsWith('RunTask') && pid === layout?.pid && tid === layout.tid,
  );
  if (tasks.length === 0) throw new Error('The browser told of no tasks');
  return tasks.reduce((longest, { tdur = 0 }) => Math.max(longest, tdur / 1000), 0);
}
