import { readFileSync } from 'node:fs';
import { insertTestMember } from '@gatehouse/testkit';
import { findingsOfAxe } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { countClicks } from '../test/count-clicks.js';
import { openConsole, type Page, signInAs } from '../test/open-console.js';

const dialect = inject('dialect');

it('the console shows in two clicks what happened to a member and what they did, and filters the audit log', async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints, at } = console;
  const { database } = service;
  const { auditLog } = database.tables;
  const root = await insertTestMember(database, { roleType: 0, isPersonnel: true });
  const member = await insertTestMember(database, { isConfirmed: true, memberships: { 1: 5, 2: 5 } });
  const gone = await insertTestMember(database);
  const call = async (path: string, body: object) =>
    expect([path, (await service.send(`/v1/${path}`, { token: root.token, body })).status]).toEqual([
      path,
      200,
    ]);
  const memberId = member.id;
  await call('member/ban', { memberId, reason: 'Sells <b>tickets</b>' });
  await call('member/unban', { memberId });
  await service.send('/v1/signIn/password', { body: { email: member.email, password: 'Wrong-Wrong-42' } });
  const now = { atMs: Date.now(), actorId: memberId, action: 'profile.updated' };
  for (let line = 0; line < 60; line += 1)
    await database.insert(auditLog, { ...now, subjectKind: 'member', subjectId: '3', after: { line } });

  await signInAs(console, 'root@gatehouse.test', `members/${memberId}`);
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'Show all activity' }).click();
  await page.getByRole('heading', { level: 1, name: 'Activity of Test Member' }).waitFor();
  await page.getByText('Sign-in failed').waitFor();
  await page.getByText('Member banned').waitFor();
  await page.getByRole('link', { name: 'Changes to this member' }).click();
  const ban = page.getByRole('button', { name: 'Member banned' });
  await ban.waitFor();
  expect(clicks()).toBe(2);
  await ban.click();
  await page.getByText('Sells <b>tickets</b>').waitFor();
  await page.getByRole('link', { name: 'Changes by this member' }).click();
  await page.getByRole('row').filter({ hasText: 'Profile changed' }).first().waitFor();
  // Rows far from the visible part are not in the document. One more is the header.
  const lines = async () =>
    Number.parseInt((await page.getByText(/^\d+ (entries|shown)/).textContent()) ?? '', 10);
  const rowCount = () => page.getByRole('table').getAttribute('aria-rowcount');
  await expect.poll(lines).toBe(50);
  expect(await rowCount()).toBe('-1');
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(lines).toBe(60);
  expect(await rowCount()).toBe('61');
  await page.goBack();
  await ban.waitFor();
  expect(page.url()).toMatch(/trail\?of=about$/);

  await page.getByRole('link', { name: 'Audit log' }).click();
  const main = page.getByRole('main');
  const times = main.locator('tbody time');
  await main.getByRole('button', { name: 'Filters', exact: true }).click();
  await page.getByLabel('Affected item', { exact: true }).fill(`member/${memberId}`);
  await page.getByLabel('From', { exact: true }).fill('2020-01-01');
  await main.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL(/subject=/);
  await page.getByLabel('Action').selectOption({ label: 'Member banned' });
  await page.waitForURL(/action=member.banned/);
  await expect.poll(() => times.count()).toBe(1);
  await page.reload();
  await ban.click();
  await page.getByText('Sells <b>tickets</b>').waitFor();
  expect(await page.getByLabel('Action').inputValue()).toBe('member.banned');
  expect(await times.count()).toBe(1);
  await main.getByRole('button', { name: 'Affected item: Test Member' }).waitFor();
  const opener = main.getByRole('button', { name: 'Filters', exact: true });
  const isFocused = (of: ReturnType<Page['getByRole']>) =>
    of.evaluate((element) => element === document.activeElement);
  await opener.click();
  await page.getByLabel('To', { exact: true }).fill('2020-01-02');
  await page.keyboard.press('Enter');
  await page.getByText('No matching entries.').waitFor();
  // What is typed and not searched yet stays when another filter changes; the field of a removed one is empty.
  await page.getByLabel('Request ID', { exact: true }).fill('typed');
  await main.getByRole('button', { name: 'Affected item:' }).click();
  await expect.poll(() => new URL(page.url()).searchParams.has('subject')).toBe(false);
  expect(await isFocused(main.getByRole('button', { name: 'To:' }))).toBe(true);
  await expect.poll(() => page.getByLabel('Affected item', { exact: true }).inputValue()).toBe('');
  expect(await page.getByLabel('Request ID', { exact: true }).inputValue()).toBe('typed');
  await page.getByLabel('Time range').selectOption({ label: 'Last hour' });
  await page.waitForURL(/last=hour/);
  expect(new URL(page.url()).searchParams.has('until')).toBe(false);
  await expect.poll(() => times.count()).toBe(1);
  expect(await page.getByLabel('From', { exact: true }).inputValue()).toBe('');
  expect(await page.getByLabel('Request ID', { exact: true }).inputValue()).toBe('typed');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(lines).toBe(50);
  expect(await isFocused(opener)).toBe(true);
  expect(await page.getByLabel('Request ID', { exact: true }).inputValue()).toBe('');
  await page.getByLabel('Time range').selectOption({ label: 'Choose dates…' });
  await expect.poll(() => isFocused(page.getByLabel('From', { exact: true }))).toBe(true);

  await page.getByLabel('Done by', { exact: true }).fill('#0');
  await page.getByLabel('Organization', { exact: true }).fill('#12345678901234567890');
  await page.getByLabel('Affected item', { exact: true }).fill('Nobody At All');
  await main.getByRole('button', { name: 'Search' }).click();
  await expect.poll(() => page.getByText('No match. Enter a name, or # and an ID.').count()).toBe(3);
  expect(page.url()).toBe(at('audit'));
  await call('member/remove', { memberId: gone.id });
  await call('account/remove', { accountId: 3 });
  await page.getByLabel('Done by', { exact: true }).fill(gone.email.split('@')[0] ?? '');
  await page.getByLabel('Affected item', { exact: true }).fill(member.email.split('@')[0] ?? '');
  await page.getByLabel('Organization', { exact: true }).fill('Cedar Labs');
  await main.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL(/actor=/);
  const { searchParams } = new URL(page.url());
  expect(['actor', 'account', 'subject'].map((name) => searchParams.get(name))).toEqual([
    String(gone.id),
    '3',
    `member/${memberId}`,
  ]);

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Action').selectOption({ label: 'Member banned' });
  await page.waitForURL(/action=member.banned/);
  const download = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Export CSV' }).click();
  const [head = '', row = ''] = readFileSync(await (await download).path(), 'utf8').split('\r\n');
  const columns = Object.fromEntries(head.split(',').map((name, at) => [name, row.split(',')[at]]));
  expect(columns).toMatchObject({
    'Done for': 'Test Member',
    'Done for (ID)': String(memberId),
    Organization: '',
    'Organization (ID)': '',
  });

  // An address with a kind and no id lists all lines of that kind, and a search within them keeps it.
  await page.goto(at('audit?subject=member'));
  await main.getByRole('button', { name: 'Affected item: member' }).waitFor();
  await opener.click();
  await page.getByLabel('Done by', { exact: true }).fill(`#${root.id}`);
  await main.getByRole('button', { name: 'Search' }).click();
  await page.waitForURL(/actor=/);
  expect(new URL(page.url()).searchParams.get('subject')).toBe('member');
  await main.getByRole('button', { name: 'Done by:' }).click();
  await expect.poll(() => isFocused(main.getByRole('button', { name: 'Affected item:' }))).toBe(true);
  await main.getByRole('button', { name: 'Affected item:' }).click();
  await expect.poll(() => isFocused(opener)).toBe(true);

  // The log covers all accounts: staff with a grant see only the history of its members.
  await page.context().clearCookies();
  await signInAs(console, 'staff@gatehouse.test', `members/${memberId}/trail?of=about`);
  await page.getByText('Sign-in failed').waitFor();
  expect(await page.getByRole('link', { name: 'Changes to this member' }).count()).toBe(0);
  expect(await page.getByRole('link', { name: 'Audit log' }).count()).toBe(0);
  await page.goto(at('audit'));
  await page.getByText("Your role can't view this page.").waitFor();
  expect(complaints).toEqual([]);
});

it('says in one row what happened, who did it, to whom and from where, and opens it to what changed and its ids', async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints } = console;
  const { auditLog } = service.database.tables;
  const line = { atMs: Date.now(), actorId: 1, onBehalfOfId: 4, subjectKind: 'member', subjectId: '4' };
  const unlocked = { ...line, action: 'member.unlocked', address: '127.0.0.1' };
  await service.database.insert(auditLog, { ...unlocked, before: { counters: 2 }, after: { counters: 0 } });
  const changed = { ...line, action: 'personnel.changed' };
  await service.database.insert(auditLog, {
    ...changed,
    before: { accountIds: [2], role: 'Chief' },
    after: { accountIds: [], role: 'Designer' },
  });
  await signInAs(console, 'root@gatehouse.test', 'audit?subject=member/4');
  const rows = page.getByRole('row').filter({ has: page.locator('time') });
  await rows.first().waitFor();
  const shown = await Promise.all((await rows.all()).map((row) => row.getByRole('cell').allInnerTexts()));
  expect(shown.map(([, ...cells]) => cells)).toEqual([
    ['Staff changed', 'Ruth Okafor', 'Mateo Ferrari', ''],
    ['Member unlocked', 'Ruth Okafor', 'Mateo Ferrari', '127.0.0.1'],
  ]);
  expect(await page.getByRole('columnheader').allInnerTexts()).toEqual([
    'Time',
    'What happened',
    'Done by',
    'Affected',
    'IP address',
  ]);
  expect(await page.getByText('member/4', { exact: true }).count()).toBe(0);
  await page.getByRole('button', { name: 'Deutsch' }).click();
  const opener = page.locator('tbody').getByRole('button');
  const links = page
    .locator('tbody tr')
    .filter({ has: page.locator('time') })
    .nth(1)
    .getByRole('link');
  expect(await links.evaluateAll((all) => all.map(({ tabIndex }) => tabIndex))).toEqual([-1, -1]);
  await opener.nth(1).focus();
  expect(await links.evaluateAll((all) => all.map(({ tabIndex }) => tabIndex))).toEqual([0, 0]);
  await opener.nth(1).click();
  const fact = (name: string, value: string) =>
    page
      .getByRole('term')
      .filter({ hasText: name })
      .locator(`xpath=following-sibling::*[1][.='${value}']`)
      .waitFor();
  await fact('Fehlversuche', '2 → 0');
  await opener.first().click();
  await fact('Zugriff auf Organisationen', '#2 → keine');
  await fact('role', 'Chief → Designer');
  await fact('Schlüssel', 'personnel.changed');
  await fact('Betroffenes Objekt', 'member/4');
  expect(await page.getByText('Fehlversuche').count()).toBe(0);
  expect(await findingsOfAxe(page)).toEqual([]);
  await page.setViewportSize({ width: 320, height: 800 });
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
  expect(await findingsOfAxe(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('shows times and asks for days in UTC once staff choose it, which the next visit keeps, and the hour of the browser on hover', async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints, at } = console;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Pacific/Auckland' });
  const line = { atMs: Date.UTC(2026, 1, 3, 20, 5), actorId: 3, action: 'profile.updated' };
  await service.database.insert(service.database.tables.auditLog, {
    ...line,
    subjectKind: 'member',
    subjectId: '3',
    after: {},
  });
  await signInAs(console, 'root@gatehouse.test', 'audit?until=2026-02-05');
  const time = page.locator('main time').first();
  await expect.poll(() => time.textContent()).toBe('Feb 4, 2026, 9:05 AM');
  expect(await time.getAttribute('title')).toContain('2026-02-03 20:05:00 UTC');
  await page.getByLabel('Times in UTC').check();
  await expect.poll(() => time.textContent()).toBe('Feb 3, 2026, 8:05 PM UTC');
  expect(await time.getAttribute('title')).toContain('9:05:00 AM');
  expect(await findingsOfAxe(page)).toEqual([]);
  await page.reload();
  await expect.poll(() => time.textContent()).toBe('Feb 3, 2026, 8:05 PM UTC');
  // In UTC the line is from the day before.
  await page.getByRole('button', { name: 'To: Feb 5, 2026' }).waitFor();
  await page.goto(at('audit?until=2026-02-03'));
  await expect.poll(() => time.textContent()).toBe('Feb 3, 2026, 8:05 PM UTC');
  await page.getByRole('button', { name: 'To: Feb 3, 2026' }).waitFor();
  await page.getByLabel('Times in UTC').uncheck();
  await page.getByText('No matching entries.').waitFor();
  await page.getByRole('button', { name: 'To: Feb 3, 2026' }).waitFor();
  await page.getByLabel('Times in UTC').check();
  await expect.poll(() => time.textContent()).toBe('Feb 3, 2026, 8:05 PM UTC');
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText(/ UTC/).first().waitFor();
  await page.getByLabel('Times in UTC').uncheck();
  await page.getByRole('link', { name: 'Audit log' }).click();
  expect(complaints).toEqual([]);
});
