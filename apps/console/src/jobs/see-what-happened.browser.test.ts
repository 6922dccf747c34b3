import { readFileSync } from 'node:fs';
import { insertTestMember } from '@gatehouse/testkit';
import { findingsOfAxe } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { countClicks } from '../test/count-clicks.js';
import { openConsole, signInAs } from '../test/open-console.js';

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
  await page.getByText('Sells <b>tickets</b>').first().waitFor();
  expect(clicks()).toBe(2);
  await page.getByRole('link', { name: 'Changes by this member' }).click();
  const rows = page.getByRole('listitem').filter({ hasText: 'profile.updated' });
  await expect.poll(() => rows.count()).toBe(50);
  await page.getByRole('button', { name: 'Show more' }).click();
  await expect.poll(() => rows.count()).toBe(60);
  await page.goBack();
  await page.getByText('Sells <b>tickets</b>').first().waitFor();
  expect(page.url()).toMatch(/trail\?of=about$/);

  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByLabel('Affected item').fill(`member/${memberId}`);
  await page.getByLabel('Action').selectOption({ label: 'Member banned' });
  await page.getByLabel('From', { exact: true }).fill('2020-01-01');
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
  await page.waitForURL(/subject=/);
  await page.getByText('Sells <b>tickets</b>').first().waitFor();
  await expect.poll(() => page.locator('main time').count()).toBe(1);
  await page.reload();
  await page.getByText('Sells <b>tickets</b>').first().waitFor();
  expect(await page.getByLabel('Action').inputValue()).toBe('member.banned');
  expect(await page.locator('main time').count()).toBe(1);
  await page.getByLabel('To').fill('2020-01-02');
  await page.keyboard.press('Enter');
  await page.getByText('No matching entries.').waitFor();
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect.poll(() => page.locator('main time').count()).toBe(50);

  await page.getByLabel('Done by', { exact: true }).fill('#0');
  await page.getByLabel('Organization', { exact: true }).fill('#12345678901234567890');
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
  await expect.poll(() => page.getByText('No match. Enter a name, or # and an ID.').count()).toBe(2);
  expect(page.url()).toBe(at('audit'));
  await call('member/remove', { memberId: gone.id });
  await call('account/remove', { accountId: 3 });
  await page.getByLabel('Done by', { exact: true }).fill(gone.email.split('@')[0] ?? '');
  await page.getByLabel('Organization', { exact: true }).fill('Cedar Labs');
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
  await page.waitForURL(/actor=/);
  const { searchParams } = new URL(page.url());
  expect([searchParams.get('actor'), searchParams.get('account')]).toEqual([String(gone.id), '3']);

  await page.getByRole('button', { name: 'Clear filters' }).click();
  await page.getByLabel('Action').selectOption({ label: 'Member banned' });
  await page.getByRole('main').getByRole('button', { name: 'Search' }).click();
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

it('says in words who changed what for whom, and keeps names of fields, kinds and ids in the details', async () => {
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
  const rows = page.getByRole('listitem').filter({ has: page.locator('time') });
  const shown = async () =>
    (await rows.allInnerTexts()).map((text) => text.replaceAll(/\s+/g, ' ').replace(/^.* [AP]M /, ''));
  await rows.first().waitFor();
  expect(await shown()).toEqual([
    'Staff changed by Ruth Okafor → for Mateo Ferrari Access to organizations: #2 → none Details Staff changed',
    'Member unlocked by Ruth Okafor → for Mateo Ferrari · from 127.0.0.1 Failed attempts: 2 → 0 Details Member unlocked',
  ]);
  await page.getByRole('button', { name: 'Deutsch' }).click();
  await page.getByText('Fehlversuche: 2 → 0').waitFor();
  await page.getByText('Zugriff auf Organisationen: #2 → keine').waitFor();
  await page.locator('summary').first().click();
  await page.getByText('role: Chief → Designer').waitFor();
  await page.getByText('personnel.changed').first().waitFor();
  expect(await findingsOfAxe(page)).toEqual([]);
  expect(complaints).toEqual([]);
});

it('shows times in UTC once staff choose it, which the next visit keeps, and the hour of the browser on hover', async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints } = console;
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Emulation.setTimezoneOverride', { timezoneId: 'Asia/Tokyo' });
  const line = { atMs: Date.UTC(2026, 1, 3, 20, 5), actorId: 3, action: 'profile.updated' };
  await service.database.insert(service.database.tables.auditLog, {
    ...line,
    subjectKind: 'member',
    subjectId: '3',
    after: {},
  });
  await signInAs(console, 'root@gatehouse.test', 'audit?until=2026-02-05');
  const time = page.locator('main time').first();
  await expect.poll(() => time.textContent()).toBe('Feb 4, 2026, 5:05 AM');
  expect(await time.getAttribute('title')).toContain('2026-02-03 20:05:00 UTC');
  await page.getByLabel('Times in UTC').check();
  await expect.poll(() => time.textContent()).toBe('Feb 3, 2026, 8:05 PM UTC');
  expect(await time.getAttribute('title')).toContain('5:05:00 AM');
  expect(await findingsOfAxe(page)).toEqual([]);
  await page.reload();
  await expect.poll(() => time.textContent()).toBe('Feb 3, 2026, 8:05 PM UTC');
  await page.getByRole('link', { name: 'Overview' }).click();
  await page.getByText(/ UTC/).first().waitFor();
  await page.getByLabel('Times in UTC').uncheck();
  await page.getByRole('link', { name: 'Audit log' }).click();
  expect(complaints).toEqual([]);
});
