import { slotOf, WHOLE_SERVICE } from '@gatehouse/db/queries/statistic-counters';
import { nodeReport, statisticsCounting } from '@gatehouse/features/staff/statistics-jobs';
import { insertTestMail } from '@gatehouse/features/test/insert-test-mail';
import { describe, expect, inject, it } from 'vitest';
import { type OpenConsole, openConsole, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

/** Counts as the jobs of the service do, however lately they did. */
async function count({ service: { services, database } }: OpenConsole): Promise<void> {
  await database.write(database.delete(database.tables.statisticGauges));
  // A busy machine may have been slow before.
  services.access.takeSlowestMs();
  await nodeReport.run(services);
  while ((await statisticsCounting.run(services)) > 0);
}

describe('the status of the service', () => {
  it('is shown in one sentence, in numbers, and in charts with tables', async () => {
    await using console = await openConsole(dialect);
    const { service, page, complaints } = console;
    for (const email of ['owner@acme.test', 'nobody@acme.test'])
      await service.send('/v1/signIn/password', { body: { email, password: 'Wrong-Wrong-42' } });
    const slot = slotOf(Date.now() - 30 * 86_400_000);
    const { statisticCounters } = service.database.tables;
    for (const [name, times] of [
      ['loginOk', 2],
      ['loginFailed', 1],
      ['signUp', 4],
    ] as const)
      await service.database.insert(statisticCounters, {
        accountId: WHOLE_SERVICE,
        name,
        slot,
        count: times,
      });
    await count(console);
    await signInAs(console, 'root@gatehouse.test');
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    await page.getByText(/^All systems normal\. /).waitFor();
    const summary = page.getByText('2 sign-ins, 2 failed. Previous 28 days: 3, 1 failed.');
    await summary.waitFor();
    await page.getByText('4 in the previous 28 days').waitFor();
    await page.getByRole('img', { name: /^2 sign-ins, 2 failed/ }).waitFor();
    // Of up to three sign-ins a day, in the previous period, the lines are at 1, 2 and 3; a column reads its day.
    const chart = page.getByRole('region', { name: 'Sign-ins by outcome' });
    const lines = chart.locator('span[aria-hidden] > span');
    expect(await lines.allTextContents()).toEqual(['1', '2', '3']);
    await chart.locator('g').last().hover();
    await chart
      .getByText(/ · Successful 0 · Failed 2 · Locked 0 · Previous 28 days 0$/)
      .and(page.locator('p'))
      .waitFor();
    await page.getByRole('button', { name: 'As a table Sign-ins by outcome' }).click();
    const table = page.getByRole('table', { name: 'Sign-ins by outcome' });
    const today = (await table.locator('tbody tr').last().locator('td').allTextContents()).map(Number);
    expect(today).toEqual([0, 2, 0, 0]);
    // Each day has the same day of the previous period beside it.
    await table.getByRole('columnheader', { name: 'Previous 28 days' }).waitFor();
    const past = (await table.locator('tbody td:last-child').allTextContents()).map(Number);
    expect(past.reduce((sum, count) => sum + count, 0)).toBe(3);

    await page.getByRole('link', { name: '7 days' }).click();
    await page.waitForURL(/days=7/);
    await expect.poll(() => table.locator('tbody tr').count()).toBe(7);

    const createdAtMs = Date.now() - 20 * 60_000;
    await insertTestMail(service.database, { memberId: null, state: 'pending', createdAtMs });
    await count(console);
    await page.reload();
    await page.getByRole('heading', { level: 2, name: 'One email is not being sent.' }).waitFor();
    expect(complaints).toEqual([]);
  });
});
