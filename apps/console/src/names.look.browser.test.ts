import { changeAccess } from '@gatehouse/db/queries/change-access';
import { changeColumn } from '@gatehouse/features/test/change-column';
import { cut, flawsOfNames, NAMES, screenShown, settle } from '@gatehouse/testkit/browser';
import { expect, inject, it } from 'vitest';
import { openConsole, signInAs } from './test/open-console.js';

const dialect = inject('dialect');

const ODD = Object.values(NAMES);
const WIDTHS = [1280, 320];
/** Members of account 1, one for each name. */
const MEMBERS = [3, 4, 5, 6, 7];
const LONGEST = 255;

it('names that a page could mistake for markup or code are text on every screen', {
  timeout: 300_000,
}, async () => {
  await using console = await openConsole(dialect);
  const { service, page, complaints, at } = console;
  const { database } = service;
  const named = ODD.map((name) => cut(name, LONGEST));
  await signInAs(console, 'root@gatehouse.test', 'mail');
  await changeAccess(database, { members: MEMBERS, accounts: [1, 2, 3] }, async (tx) => {
    for (const [index, id] of MEMBERS.entries()) {
      await changeColumn(tx, { table: 'members', column: 'first_name', id }, named[index] ?? '');
      await changeColumn(tx, { table: 'members', column: 'last_name', id }, '');
    }
    for (const [index, id] of [1, 2, 3].entries())
      await changeColumn(tx, { table: 'accounts', column: 'name', id }, named[index] ?? '');
  });
  for (const name of ODD) {
    const { auditLog, webhookLog } = database.tables;
    const times = { atMs: Date.now(), subjectKind: 'member', subjectId: '4' };
    await database.insert(auditLog, {
      ...times,
      action: 'member.updated',
      before: { name },
      after: { name },
    });
    await database.insert(webhookLog, {
      provider: 'stripe',
      endpoint: 'stripe',
      type: 'invoice.paid',
      body: '{}',
      bodyBytes: 2,
      digest: 'd'.repeat(64),
      status: 'failed',
      reason: name,
      accountId: 1,
      address: '127.0.0.1',
      receivedAtMs: times.atMs,
    });
  }

  const flaws: string[] = [];
  const look = async (screen: string, names: readonly string[]) => {
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: 800 });
      const found = await flawsOfNames(page, names);
      flaws.push(...found.map((flaw) => `${screen}, ${width} px: ${flaw}`));
    }
  };
  const open = async (screen: string) => {
    await page.goto(at(screen));
    await screenShown(page);
    await settle(page);
  };
  const [first = '', second = '', third = ''] = named;
  const screens: (readonly [string, readonly string[]])[] = [
    ['members', named],
    ['accounts', [first, second, third]],
    ['accounts/1', [first, ...named, ...ODD]],
    ['accounts/1/members', [first, ...named]],
    ['accounts/1/billing', [first, ...ODD]],
    ...MEMBERS.flatMap((id, index): (readonly [string, readonly string[]])[] => {
      const name = named[index] ?? '';
      return ['', '/trail', '/sessions', '/mail', '/edit'].map((part) => [
        `members/${id}${part}`,
        part === '' ? [name, first] : [name],
      ]);
    }),
  ];
  for (const [screen, names] of screens) {
    await open(screen);
    await look(screen, names);
  }
  await open('audit?subject=member%2F4');
  for (const [index, name] of [...ODD].reverse().entries()) {
    await page.getByRole('button', { name: 'Member changed' }).nth(index).click();
    await look(`audit, line ${index}`, [cut(name, 200)]);
  }
  const questions = [
    ['accounts/1', 'More actions', 'Delete organization'],
    ['accounts/1/members', /^Actions for/, /^Change role/],
    ['accounts/1/members', /^Actions for/, /^Remove/],
    ['accounts/1/billing', 'Extend trial'],
    ['members/4', 'More actions', 'Ban'],
    ['members/4', 'More actions', 'Delete member'],
    ['members/4', 'More actions', 'Export data'],
  ] as const;
  for (const [screen, ...buttons] of questions) {
    await open(screen);
    await page.setViewportSize({ width: 1280, height: 800 });
    for (const name of buttons)
      await page.getByRole('main').getByRole('button', { name, exact: true }).first().click();
    await page.getByRole('dialog').locator('form').waitFor();
    await look(`${screen} ${buttons.join(' ')}`, screen.endsWith('members') ? named : [first]);
  }
  expect([flaws, complaints]).toEqual([[], []]);
});
