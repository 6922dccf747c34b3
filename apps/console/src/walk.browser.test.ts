import { hashPassword } from '@gatehouse/auth-core';
import { insertTestMember, type TestMemberOptions } from '@gatehouse/testkit';
import { settle } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { type OpenConsole, openConsole, PASSWORD, signInAs } from './test/open-console.js';

const dialect = inject('dialect');

/** The account that is granted to the staff of the test. */
const GRANTED = 2;

const STAFF: Readonly<Record<string, TestMemberOptions>> = {
  'role 0': { roleType: 0 },
  'support with two accounts': { roleType: 6, grants: [1, GRANTED] },
  'a designer with a grant on one account': { roleType: 4, grants: [GRANTED] },
  'a contributor of the granted account, who only reads': {
    roleType: 6,
    grants: [GRANTED],
    memberships: { [GRANTED]: 3 },
  },
};

/** The screens that need no member or account. */
const SCREENS = [
  '',
  'members',
  'members?state=banned',
  'mail',
  'staff',
  'staff/new',
  'partners',
  'partners/new',
  'partners/1',
  'webhooks',
  'affiliates',
  'me',
];

/** What one may do on the page of a member, in an order in which nothing is in the way of the next. */
const ACTIONS = [
  'Send the confirmation again',
  'Send a reset mail',
  'End all sessions',
  'Ban',
  'Lift the ban',
];

/** What the service refused since this was asked before, by the names of the calls. */
async function collectRefusals({ page }: OpenConsole): Promise<() => Promise<string[]>> {
  const open: Promise<string[]>[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/trpc/') || (response.status() < 400 && response.status() !== 207)) return;
    const names = new URL(response.url()).pathname.split('/trpc/')[1] ?? '';
    open.push(
      response.text().then((text) => (text.includes('"error":') ? [`${names}: ${text.slice(0, 200)}`] : [])),
    );
  });
  return async () => (await Promise.all(open.splice(0))).flat();
}

/** The names of accounts that somebody does not see, and the addresses of who is in none that they see. */
async function hiddenFrom(
  { service: { database } }: OpenConsole,
  seen: ReadonlySet<number>,
): Promise<string[]> {
  const { accounts, members, memberships, personnelGrants } = database.tables;
  const rows = await database.select({ id: accounts.id, name: accounts.name }).from(accounts);
  const places = [
    ...(await database
      .select({ id: memberships.memberId, accountId: memberships.accountId })
      .from(memberships)),
    ...(await database
      .select({ id: personnelGrants.personnelId, accountId: personnelGrants.accountId })
      .from(personnelGrants)),
  ];
  const near = new Set(places.flatMap(({ id, accountId }) => (seen.has(accountId) ? [id] : [])));
  const people = await database.select({ id: members.id, email: members.email }).from(members);
  return [
    ...rows.flatMap(({ id, name }) => (seen.has(id) ? [] : [name])),
    ...people.flatMap(({ id, email }) => (email === null || near.has(id) ? [] : [email])),
  ];
}

describe('the screens of the console, for each kind of staff', () => {
  it('show nothing of accounts that are not theirs, ask nothing that is refused, and offer nothing either', {
    timeout: 240_000,
  }, async () => {
    await using console = await openConsole(dialect);
    const { service, page, complaints, at } = console;
    const { database } = service;
    const passwordHash = await hashPassword(PASSWORD);
    const refusals = await collectRefusals(console);
    for (const [kind, options] of Object.entries(STAFF)) {
      const staff = await insertTestMember(database, {
        isPersonnel: true,
        isConfirmed: true,
        passwordHash,
        ...options,
      });
      const isRoot = options.roleType === 0;
      const hidden = isRoot ? [] : await hiddenFrom(console, new Set(options.grants));
      const foreign = hidden.filter((each) => each !== staff.email);
      const theirs = await insertTestMember(database, { memberships: { [GRANTED]: 5 } });
      const other = await insertTestMember(database, { memberships: { 3: 5 } });
      await page.context().clearCookies();
      await signInAs(console, staff.email, 'me');
      await settle(page);
      const ways = await page
        .getByRole('navigation', { name: 'Main' })
        .getByRole('link')
        .evaluateAll((links) => links.map((link) => link.getAttribute('href')));
      const ofMember = ['', '/sessions', '/mail', '/edit'];
      for (const screen of [
        ...SCREENS,
        ...ofMember.map((part) => `members/${theirs.id}${part}`),
        ...ofMember.map((part) => `members/${other.id}${part}`),
      ]) {
        await page.goto(at(screen));
        await page.locator('h1').waitFor();
        await settle(page);
        const text = await page.content();
        const leaked = [...foreign, ...(isRoot ? [] : [other.email])].filter((each) => text.includes(each));
        const refused = await refusals();
        const isOffered = ways.includes(`/console/${screen}`);
        expect([kind, screen, leaked, isOffered ? refused : []]).toEqual([kind, screen, [], []]);
      }

      await page.goto(at(`members/${theirs.id}`));
      const done: string[] = [];
      for (const name of ACTIONS) {
        await page.locator('h1').waitFor();
        await settle(page);
        const button = page.getByRole('main').getByRole('button', { name, exact: true });
        if ((await button.count()) === 0) continue;
        await button.click();
        const dialog = page.getByRole('dialog');
        if ((await dialog.count()) > 0) {
          const reason = dialog.getByLabel('Reason');
          if ((await reason.count()) > 0) await reason.fill('A reason');
          await dialog.locator('button[type=submit]').click();
          await expect.poll(() => dialog.count()).toBe(0);
        }
        await settle(page);
        expect([kind, name, await page.getByRole('alert').count(), await refusals()]).toEqual([
          kind,
          name,
          0,
          [],
        ]);
        done.push(name);
      }
      // Who only reads has none of them.
      expect([kind, done]).toEqual([kind, kind.endsWith('who only reads') ? [] : ACTIONS]);
    }
    expect(complaints).toEqual([]);
  });
});
