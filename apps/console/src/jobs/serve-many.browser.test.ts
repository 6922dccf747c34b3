import { readFileSync } from 'node:fs';
import { insertTestMember } from '@gatehouse/testkit';
import { findingsOfAxe } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { CONTRIBUTOR, insertCrowd } from '../test/insert-crowd.js';
import { type OpenConsole, openConsole, type Page, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

const MANY = 500;

/** How many confirmation mails each member got. */
async function mailsBy({ service: { database } }: OpenConsole): Promise<Map<number | null, number>> {
  const rows = await database.select().from(database.tables.mailOutbox);
  const mails = new Map<number | null, number>();
  for (const { kind, memberId } of rows)
    if (kind === 'activation') mails.set(memberId, (mails.get(memberId) ?? 0) + 1);
  return mails;
}

const heading = (page: Page, name: RegExp) => page.getByRole('heading', { name }).first().waitFor();

describe('a bulk action', () => {
  it('survives a dead network, a 503 and a closed tab, reports each, and does nothing twice', async () => {
    await using console = await openConsole(dialect);
    const { page, at } = console;
    const ids = await insertCrowd(console.service.database, MANY);
    const [banned = 0] = ids;
    await signInAs(console, 'root@gatehouse.test', `members/${banned}`);
    await page.getByRole('button', { name: 'More actions' }).click();
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByLabel('Reason').fill('Sells tickets');
    await page.getByRole('dialog').getByRole('button', { name: 'Ban', exact: true }).click();
    await heading(page, /is banned\.$/);

    let batches = 0;
    let isDead = false;
    const interrupt = async (target: Page) => {
      await target.route('**/trpc/member.sendConfirmation**', async (route) => {
        batches += 1;
        if (batches === 5) {
          // The service does it, and the answer is lost, as are all later ones.
          isDead = true;
          await route.fetch();
          await route.abort('connectionreset');
        } else if (batches === 12) await route.fulfill({ status: 503, body: 'busy' });
        else if (batches === 20) {
          // A tab that closes releases held requests: it must not send this one again.
          await route.fetch();
          await route.abort();
          await target.close();
        } else await route.continue();
      });
      await target.route('**/trpc/member.page**', async (route) => {
        if (isDead) await route.abort('connectionrefused');
        // The tab that closes gets no more answers.
        else if (batches !== 20 || target !== page) await route.continue();
      });
    };
    await interrupt(page);
    await page.goto(at(`members?role=${CONTRIBUTOR}&q=crowd`));
    const all = page.getByRole('button', { name: 'Select all that match' });
    const first = page.locator('tbody').getByRole('checkbox').first();
    await first.waitFor();
    // The bar covers no row before one is selected.
    expect(await all.count()).toBe(0);
    await first.click();
    await all.click();
    await page.getByText(`${MANY} selected`).waitFor();
    await page.getByRole('button', { name: 'Resend confirmation' }).click();
    await page.getByRole('button', { name: 'Start' }).click();

    // The network is down: ten calls were sent, and their results are unknown.
    await page.getByText('The responses for 10 members were lost.').waitFor();
    await heading(page, /^10 sent, no response$/);
    await page.getByRole('button', { name: 'Resume' }).click();
    await page.getByText('The responses for 10 members were lost.').waitFor();
    isDead = false;
    await page.getByRole('button', { name: 'Resume' }).click();

    // The 503: the service did nothing, and its state shows that.
    await heading(page, /^10 not done, the connection was lost$/);
    expect(await page.getByRole('heading', { name: /sent, no response/ }).count()).toBe(0);
    const closed = page.waitForEvent('close');
    await page.getByRole('button', { name: 'Resume' }).click();
    await closed;

    // The tab is gone. Another one finds the run where it was.
    const next = await page.context().newPage();
    await interrupt(next);
    await next.goto(at('members'));
    await next.getByRole('link', { name: 'See the result' }).click();
    await heading(next, /^10 sent, no response$/);
    await next.getByRole('button', { name: 'Resume' }).click();
    await heading(next, /^Confirmation resent to 489 of 500 members$/);
    await heading(next, /^One failed$/);
    await next.getByText('lift the ban first').waitFor();
    await heading(next, /^10 not done, the connection was lost$/);
    await heading(next, /^489 done$/);
    expect(await next.getByRole('heading', { name: /not tried/ }).count()).toBe(0);
    const mails = await mailsBy(console);
    expect(mails.size).toBe(MANY - 11);
    expect(new Set(mails.values())).toEqual(new Set([1]));

    await next.getByRole('button', { name: 'Retry these' }).click();
    await heading(next, /^Confirmation resent to 499 of 500 members$/);
    const afterwards = await mailsBy(console);
    expect(afterwards.size).toBe(MANY - 1);
    expect(new Set(afterwards.values())).toEqual(new Set([1]));

    const download = next.waitForEvent('download');
    await next.getByRole('button', { name: 'Export CSV' }).click();
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(MANY + 1);
    expect(lines[0]).toBe('ID,Name,Result,Reason');
    expect(lines.filter((line) => line.endsWith(',done,'))).toHaveLength(MANY - 1);
    expect(lines[1]).toMatch(new RegExp(`^${banned},,failed,.*lift the ban first`));
    await next.getByRole('button', { name: 'Dismiss' }).click();
    await heading(next, /^No bulk actions running/);
  });

  it('bans, lifts bans and ends sessions of members selected by keyboard, each authorized separately', async () => {
    await using console = await openConsole(dialect);
    const { service, page, complaints, at } = console;
    // One after the other, in the order of the list.
    const crowd: Awaited<ReturnType<typeof insertTestMember>>[] = [];
    for (let count = 0; count < 3; count++) {
      crowd.push(await insertTestMember(service.database, { roleType: CONTRIBUTOR }));
    }
    const knock = () =>
      Promise.all(crowd.map(async ({ token }) => (await service.send('/auth/me', { token })).status));
    expect(await knock()).toEqual([200, 200, 200]);

    await signInAs(console, 'root@gatehouse.test', `members?q=@many.test`);
    const rows = page.locator('tbody').getByRole('link');
    await expect.poll(() => rows.count()).toBe(3);
    await rows.first().focus();
    await page.keyboard.press('Space');
    await page.getByText('One selected').waitFor();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('Shift+ArrowUp');
    await page.getByText('2 selected').waitFor();
    await page.keyboard.press('Escape');
    await page.getByText('2 selected').waitFor({ state: 'detached' });
    const boxes = page.locator('tbody').getByRole('checkbox');
    await boxes.first().click();
    await boxes.nth(1).click({ modifiers: ['Shift'] });
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Clear selection' }).press('Enter');
    await page.getByText('2 selected').waitFor({ state: 'detached' });
    await expect.poll(() => page.evaluate('document.activeElement.id')).toBe('main');
    await boxes.first().click();
    await boxes.nth(1).click({ modifiers: ['Shift'] });
    await page.getByText('2 selected').waitFor();
    await page.getByRole('button', { name: 'Sign out everywhere' }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    await heading(page, /^2 of 2 members signed out everywhere$/);
    expect(await knock()).toEqual([401, 401, 200]);

    await page.goto(at('members?q=@many.test'));
    await page.getByRole('checkbox', { name: 'Select all rows shown' }).click();
    await page.getByRole('button', { name: 'Ban', exact: true }).click();
    await page.getByLabel('Reason').fill('Sells tickets');
    await page.getByRole('button', { name: 'Start' }).click();
    await heading(page, /^3 of 3 members banned$/);
    const named = page.getByRole('main').getByRole('link', { name: /^Test .+ ?#\d+$/ });
    expect(await named.count()).toBe(3);
    expect(await knock()).toEqual([401, 401, 401]);

    // On a phone the box is above the rows, and nothing that is not shown takes the focus.
    await page.setViewportSize({ width: 320, height: 800 });
    await page.goto(at('members?q=@many.test&state=banned'));
    const head = page.locator('thead');
    await head.getByText('Select all rows shown').waitFor();
    expect(await head.getByRole('button').count()).toBe(0);
    expect(await findingsOfAxe(page)).toEqual([]);
    await head.getByText('Select all rows shown').click();
    await page.getByRole('button', { name: 'Lift bans' }).click();
    await page.getByRole('button', { name: 'Start' }).click();
    await heading(page, /^Bans of 3 of 3 members lifted$/);
    expect(complaints).toEqual([]);
  });

  it('does not extend a selection from a row of an earlier search', async () => {
    await using console = await openConsole(dialect);
    const { service, page, complaints } = console;
    for (let count = 0; count < 2; count++)
      await insertTestMember(service.database, { roleType: CONTRIBUTOR });
    await insertCrowd(service.database, 2);
    await signInAs(console, 'root@gatehouse.test', 'members?q=@many.test');
    const boxes = page.locator('tbody').getByRole('checkbox');
    await boxes.first().click();
    await boxes.nth(1).click();
    await page.getByText('2 selected').waitFor();
    await page.getByLabel('Name, email or #ID').fill('@crowd.test');
    await page.locator('tbody').getByRole('link', { name: 'Crowd 1' }).waitFor();
    await boxes.nth(1).click({ modifiers: ['Shift'] });
    await page.getByText('One selected').waitFor();
    expect(complaints).toEqual([]);
  });

  it('exports CSV that no spreadsheet executes, and is in the audit log before it reads a row', async () => {
    await using console = await openConsole(dialect);
    const { service, page } = console;
    const names = { firstName: '=HYPERLINK("x")', lastName: '@a, "b"' };
    const [id] = await insertCrowd(service.database, 1, names);
    await signInAs(console, 'root@gatehouse.test', 'members?q=@crowd.test');
    let linesBefore = -1;
    await page.route('**/trpc/member.search**', async (route) => {
      const lines = await service.database.select().from(service.database.tables.auditLog);
      linesBefore = lines.filter(({ action }) => action === 'export.begun').length;
      await route.continue();
    });
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const [head, row, ...others] = readFileSync(await (await download).path(), 'utf8').split('\r\n');
    expect(head).toBe(
      'ID,Username,First name,Last name,Email,Email confirmed,Role,Member since,Status,Organization,Two-step sign-in,Last sign-in',
    );
    expect(row).toMatch(
      new RegExp(`^${id},crowd00000,"'=HYPERLINK\\(""x""\\)","'@a, ""b""",crowd00000@crowd.test,no,`),
    );
    expect(others).toEqual(['']);
    await page.getByText('Exported one row.').waitFor();
    expect(linesBefore).toBe(1);
  });
});
