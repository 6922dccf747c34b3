// @module-tag slow

import { readdir, readFile } from 'node:fs/promises';
import { hashPassword } from '@gatehouse/auth-core';
import { insertTestMember, type TestMemberOptions } from '@gatehouse/testkit';
import { screenShown, settle } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { type OpenConsole, openConsole, PASSWORD, signInAs } from './test/open-console.js';

const dialect = inject('dialect');

/** The account that is granted to the staff of the test, and one that is not. */
const GRANTED = 2;
const OTHER = 3;

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

interface Subjects {
  readonly member: number;
  readonly account: number;
}

const still =
  (...screens: string[]) =>
  () =>
    screens;
const ofMember =
  (part = '') =>
  ({ member }: Subjects) => [`members/${member}${part}`];
const ofAccount =
  (part = '') =>
  ({ account }: Subjects) => [`accounts/${account}${part}`];

/** Every path of the route table, with the ids of a person and an account. */
const SCREENS: Readonly<Record<string, (about: Subjects) => readonly string[]>> = {
  // Nobody is signed in there.
  '/sign-in': still(),
  // Has a test of its own, with the tickets and codes that it needs.
  '/enrol': still(),
  '/': still(''),
  '/members': still('members', 'members?state=banned'),
  '/members/$memberId': ofMember(),
  '/members/$memberId/sessions': ofMember('/sessions'),
  '/members/$memberId/mail': ofMember('/mail'),
  '/members/$memberId/edit': ofMember('/edit'),
  '/members/$memberId/trail': ({ member }) =>
    ['', '?of=about', '?of=by'].map((of) => `members/${member}/trail${of}`),
  '/accounts': still('accounts'),
  '/accounts/$accountId': ofAccount(),
  '/accounts/$accountId/members': ofAccount('/members'),
  '/accounts/$accountId/billing': ofAccount('/billing'),
  '/audit': ({ member }) => ['audit', `audit?subject=member/${member}`],
  '/mail': still('mail', 'mail?state=failed'),
  '/deleted': still('deleted', 'deleted?of=deleted', 'deleted?of=accounts'),
  '/staff': still('staff'),
  '/staff/new': still('staff/new'),
  '/staff/$personnelId': still('staff/2'),
  '/partners': still('partners'),
  '/partners/new': still('partners/new'),
  '/partners/$partnerId': still('partners/1'),
  '/partners/$partnerId/endpoints': still('partners/1/endpoints'),
  '/partners/$partnerId/endpoints/$endpointId': still('partners/1/endpoints/1?state=failed'),
  '/developers': still('developers'),
  '/developers/endpoints': still('developers/endpoints'),
  '/developers/endpoints/$endpointId': still('developers/endpoints/1?state=failed'),
  '/developers/applications': still('developers/applications'),
  '/developers/applications/$applicationId': still('developers/applications/none'),
  '/developers/apis': still('developers/apis'),
  '/single-sign-on': still('single-sign-on', 'single-sign-on?state=ending&sort=certificatesEndAt'),
  '/single-sign-on/staff': still('single-sign-on/staff'),
  '/webhooks': still('webhooks', 'webhooks?status=failed'),
  '/webhooks/$webhookId': still('webhooks/1'),
  '/affiliates': still('affiliates'),
  '/affiliates/$memberId': ({ member }) => [`affiliates/${member}`],
  '/bulk': still('bulk'),
  '/help': ({ member }) => [`help?who=%23${member}`],
  '/me': still('me'),
  $: still('no-such-page'),
};

/** The paths that the files of the console give to routes. */
async function listPaths(): Promise<string[]> {
  const files = (await readdir(import.meta.dirname, { recursive: true })).filter((name) =>
    /(routes?|router)\.tsx?$/.test(name),
  );
  const texts = await Promise.all(files.map((name) => readFile(`${import.meta.dirname}/${name}`, 'utf8')));
  return texts.flatMap((text) => [...text.matchAll(/\bpath: '([^']+)'/g)].map(([, path = '']) => path));
}

/** The actions of a screen, in an order in which none blocks the next, and who lacks them. */
const MANAGERS = ['role 0', 'support with two accounts', 'a designer with a grant on one account'];
const ROOT = ['role 0'];
const ACTIONS: readonly (readonly [(about: Subjects) => string, string, readonly string[]])[] = [
  [({ member }) => `members/${member}`, 'Resend confirmation', MANAGERS],
  [({ member }) => `members/${member}`, 'Send password reset', MANAGERS],
  [({ member }) => `members/${member}`, 'Sign out everywhere', MANAGERS],
  [({ member }) => `members/${member}`, 'Ban', MANAGERS],
  [({ member }) => `members/${member}`, 'Lift ban', MANAGERS],
  [({ account }) => `accounts/${account}/members`, 'Invite people', MANAGERS],
  [({ account }) => `accounts/${account}/members`, 'Revoke guest@walk.test', MANAGERS],
  [({ account }) => `accounts/${account}/members`, 'Change role Theo Walker', MANAGERS],
  [({ account }) => `accounts/${account}/members`, 'Transfer ownership… Ida Heir', ROOT],
  [({ account }) => `accounts/${account}/members`, 'Transfer ownership… Bruno Keller', ROOT],
  [({ account }) => `accounts/${account}/members`, 'Remove Theo Walker', MANAGERS],
  [({ account }) => `accounts/${account}/billing`, 'Extend trial', ROOT],
];

/** The service's answers, in order of arrival. */
interface Heard {
  /** The refused calls, by name. */
  readonly refused: string[];
  /** All its answers. */
  text: string;
}

/** Records the service's answers since the last read. */
async function listen({ page }: OpenConsole): Promise<() => Promise<Heard>> {
  const open: Promise<[string, string]>[] = [];
  page.on('response', (response) => {
    if (!response.url().includes('/trpc/')) return;
    const names = new URL(response.url()).pathname.split('/trpc/')[1] ?? '';
    // Answers to a page that was left are lost with it.
    open.push(
      response.text().then(
        (text) => [names, text],
        () => [names, ''],
      ),
    );
  });
  return async () => {
    const heard = await Promise.all(open.splice(0));
    const refused = heard.flatMap(([names, text]) =>
      text.includes('"error":') ? [`${names}: ${text.slice(0, 200)}`] : [],
    );
    return { refused, text: heard.map(([, text]) => text).join('\n') };
  };
}

/** The names of accounts outside a person's scope, and the addresses of members who are in none of their accounts. */
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

async function insertTestAccount({ service: { database } }: OpenConsole, ownerId: number): Promise<number> {
  const { accounts } = database.tables;
  const at = { createdAtMs: Date.now(), updatedAtMs: Date.now() };
  return database.insert(accounts, { name: 'Gone & Co', nameKey: 'gone & co', ownerId, ...at });
}

/** Opens a screen as a link does, and waits until it is loaded. */
async function go({ page }: OpenConsole, screen: string): Promise<void> {
  await page.evaluate((to) => history.pushState({}, '', to), `/console/${screen}`);
  await screenShown(page);
  await settle(page);
}

/** Opens the menu that has an action: of the row that the action names, else of the page. */
async function openMenuOf({ page }: OpenConsole, action: string): Promise<void> {
  for (const menu of await page.getByRole('main').getByRole('button', { expanded: false }).all()) {
    const label = (await menu.textContent()) ?? '';
    const [, about] = /^Actions for (.+)$/.exec(label) ?? [];
    if (label === 'More actions' || (about !== undefined && action.endsWith(` ${about}`)))
      return menu.click();
  }
}

/** Presses a button, and fills in its dialog. */
async function press({ page }: OpenConsole, name: string): Promise<void> {
  await page.getByRole('main').getByRole('button', { name, exact: true }).click();
  if (name === 'Invite people') {
    await page.getByLabel('Email address').fill('guest@walk.test');
    await page.getByRole('button', { name: 'Send invitation' }).click();
    await page.getByText('Invitation sent to guest@walk.test.').waitFor();
    return;
  }
  const dialog = page.getByRole('dialog');
  if ((await dialog.count()) === 0) return;
  const reason = dialog.getByLabel(/^(Reason|How did you)/);
  if ((await reason.count()) > 0) await reason.fill('A reason');
  await dialog.locator('button[type=submit]').click();
  await expect.poll(() => dialog.count()).toBe(0);
}

describe('the screens of the console, for each kind of staff', () => {
  it('show nothing of other accounts, send no call that is refused, and offer no action that would be refused', {
    timeout: 240_000,
  }, async () => {
    expect(Object.keys(SCREENS).toSorted()).toEqual((await listPaths()).toSorted());
    await using console = await openConsole(dialect);
    const { service, page, complaints } = console;
    const { database } = service;
    await database.insert(database.tables.webhookLog, {
      provider: 'stripe',
      endpoint: 'stripe',
      body: '{}',
      bodyBytes: 2,
      digest: 'd'.repeat(64),
      status: 'rejected',
      address: '127.0.0.1',
      receivedAtMs: Date.now(),
    });
    const root = await insertTestMember(database, { isPersonnel: true, roleType: 0 });
    const passwordHash = await hashPassword(PASSWORD);
    const hear = await listen(console);
    const asRoot = async (name: string, body: object) => {
      const { status } = await service.send(`/v1/${name}`, { token: root.token, body });
      expect([name, status]).toEqual([name, 200]);
    };
    for (const [kind, options] of Object.entries(STAFF)) {
      const staff = await insertTestMember(database, {
        isPersonnel: true,
        isConfirmed: true,
        passwordHash,
        ...options,
      });
      const isRoot = options.roleType === 0;
      const hidden = isRoot ? [] : await hiddenFrom(console, new Set(options.grants));
      const other = await insertTestMember(database, { memberships: { [OTHER]: 5 } });
      const foreign = isRoot ? [] : [...hidden.filter((each) => each !== staff.email), other.email];
      const theirs = await insertTestMember(database, { memberships: { [GRANTED]: 5 } });
      await asRoot('member/update', { memberId: theirs.id, firstName: 'Theo', lastName: 'Walker' });
      const others = { member: other.id, account: OTHER };
      if (isRoot) {
        const heir = await insertTestMember(database, { isConfirmed: true, memberships: { [GRANTED]: 5 } });
        await asRoot('member/update', { memberId: heir.id, firstName: 'Ida', lastName: 'Heir' });
        // To role 0 nothing is foreign, but something may be gone.
        others.account = await insertTestAccount(console, other.id);
        await asRoot('account/remove', { accountId: others.account });
        await asRoot('member/remove', { memberId: other.id });
      }
      const about = { member: theirs.id, account: GRANTED };
      await page.context().clearCookies();
      await signInAs(console, staff.email, 'me');
      await settle(page);
      const walked = new Set<string>();
      for (const subjects of [about, others]) {
        for (const screen of Object.values(SCREENS).flatMap((screensOf) => screensOf(subjects))) {
          if (walked.has(screen)) continue;
          walked.add(screen);
          await go(console, screen);
          const { refused, text } = await hear();
          const seen = text + (await page.content());
          const leaked = foreign.filter((each) => seen.includes(each));
          // The service refuses an address that belongs to another member.
          const isTheirs = isRoot || subjects === about;
          expect([kind, screen, leaked, isTheirs ? refused : []]).toEqual([kind, screen, [], []]);
        }
      }

      const done: string[] = [];
      for (const [screenOf, name] of ACTIONS) {
        await go(console, screenOf(about));
        await openMenuOf(console, name);
        const button = page.getByRole('main').getByRole('button', { name, exact: true });
        if ((await button.count()) === 0) continue;
        await press(console, name);
        await settle(page);
        const alerts = await page.getByRole('alert').allTextContents();
        expect([kind, name, alerts, (await hear()).refused]).toEqual([kind, name, [], []]);
        done.push(name);
      }
      const offered = ACTIONS.filter(([, , kinds]) => kinds.includes(kind)).map(([, name]) => name);
      expect([kind, done]).toEqual([kind, offered]);
    }
    expect(complaints).toEqual([]);
  });
});
