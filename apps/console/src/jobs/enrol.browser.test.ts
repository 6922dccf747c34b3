import { readFile } from 'node:fs/promises';
import { createApp } from '@gatehouse/api-admin/app';
import { hashPassword, randomToken, totpCode, totpStep } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import {
  approveRecovery,
  findOpenRecovery,
  insertRecovery,
  setRecoveryTicket,
} from '@gatehouse/db/queries/recoveries';
import { confirmTotp, setPendingTotp } from '@gatehouse/db/queries/second-factors';
import { ticketDigests } from '@gatehouse/features/authentication/recovery/recovery-tickets';
import { sealTotpSecret } from '@gatehouse/features/authentication/second-factor/factor-codes';
import { endFactors, printTicket } from '@gatehouse/features/authentication/staff-enrolment';
import { newestMails } from '@gatehouse/features/test/newest-mails';
import {
  developmentEnvironment,
  fromBase32,
  insertTestMember,
  startService,
  type TestMember,
} from '@gatehouse/testkit';
import { findingsOfAxe, flawsOfLook } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { addAuthenticator } from '../test/add-authenticator.js';
import { type OpenConsole, openConsole, PASSWORD, type Page, sendSignIn } from '../test/open-console.js';

const dialect = inject('dialect');
const DAY_MS = 86_400_000;

/** Staff of role 0 who have only their password. */
async function insertRoot({ service: { database } }: OpenConsole): Promise<TestMember> {
  const passwordHash = await hashPassword(PASSWORD);
  return insertTestMember(database, { isPersonnel: true, roleType: 0, isConfirmed: true, passwordHash });
}

/** A ticket as an operator prints it. */
function ticketFor({ service: { database, services } }: OpenConsole, root: TestMember): Promise<string> {
  const holder = { memberId: root.id, email: root.email, endsFactors: true };
  return changeAccess(database, { members: [root.id] }, async (tx) => {
    await endFactors(tx, { memberId: root.id, actorId: null, nowMs: Date.now() });
    return printTicket(tx, { services }, holder);
  });
}

/** An authenticator app that is lost, and the ticket of its recovery. */
async function loseApp({ service: { database: db, services } }: OpenConsole, { id: memberId }: TestMember) {
  const nowMs = Date.now();
  const secret = sealTotpSecret(services, memberId, Buffer.alloc(20, 1));
  await changeAccess(db, { members: [memberId] }, async (tx) => {
    await setPendingTotp(tx, { memberId, secret, nowMs });
    await confirmTotp(tx, { memberId, secret, step: 0, nowMs });
  });
  const wait = { openedAtMs: nowMs - 73 * 3_600_000, effectiveAtMs: nowMs - 3_600_000 };
  const agreed = { openedById: 1, needsApproval: true, reason: 'The phone fell into the sea' };
  await insertRecovery(db, { memberId, ...agreed, ...wait });
  const recoveryId = (await findOpenRecovery(db, memberId))?.id ?? 0;
  await approveRecovery(db, { recoveryId, approvedById: 2, nowMs });
  const ticket = randomToken();
  const [digest] = ticketDigests(services, memberId, ticket);
  await setRecoveryTicket(db, { recoveryId, digest, expiresAtMs: nowMs + 3_600_000 });
  return ticket;
}

/** The key that the page shows, as an app reads it. */
async function shownKey(page: Page): Promise<Buffer> {
  await page.getByRole('heading', { name: 'Set up your authenticator app' }).waitFor();
  return fromBase32(((await page.locator('p.font-mono').textContent()) ?? '').replaceAll(' ', ''));
}

/** Types the code of the shown key. Its last digit sends it. */
async function typeAppCode(page: Page): Promise<void> {
  const key = await shownKey(page);
  await page.getByLabel('6-digit code').pressSequentially(totpCode(key, totpStep(Date.now())));
}

async function mailedCode({ service }: OpenConsole, to: string): Promise<string> {
  const find = async () =>
    /\b\d{8}\b/.exec((await newestMails(service)).find((mail) => mail.to === to)?.text ?? '')?.[0];
  await expect.poll(find).toBeDefined();
  return (await find()) ?? '';
}

const saved = (page: Page) => page.getByRole('heading', { name: 'Save your backup codes' });

describe('staff add a second factor', () => {
  it('with a ticket from an operator, by keyboard alone, on every kind of screen, and keep the backup codes', {
    timeout: 120_000,
  }, async () => {
    await using console = await openConsole(dialect, { STAFF_ROOT_LEVEL: '2' });
    const { page, at, complaints, service } = console;
    const root = await insertRoot(console);
    const ticket = await ticketFor(console, root);
    await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);

    // The address on tickets that were printed for the former page.
    await page.goto(new URL('/enrol?next=%2Fconsole%2Fmail', at('')).href);
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.getByLabel('Email').focus();
    await page.keyboard.type(root.email);
    await page.getByLabel('Password', { exact: true }).focus();
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: "Confirm it's you" }).waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'I have a setup ticket' }).focus();
    await page.keyboard.press('Enter');
    await page.getByLabel('Setup ticket').focus();
    await page.keyboard.type(ticket);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Add a second factor' }).waitFor();
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Use an authenticator app' }).focus();
    await page.keyboard.press('Enter');
    await shownKey(page);
    expect(await flawsOfLook(page)).toEqual([]);
    await page.getByRole('button', { name: 'Copy' }).click();
    const copied = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(fromBase32(copied)).toEqual(await shownKey(page));
    await page.getByLabel('6-digit code').focus();
    await typeAppCode(page);
    await saved(page).waitFor();
    expect(await flawsOfLook(page)).toEqual([]);

    const codes = await page.getByRole('listitem').allTextContents();
    expect(codes).toHaveLength(10);
    const download = page.waitForEvent('download');
    await page.getByRole('link', { name: 'Download' }).click();
    expect(await readFile(await (await download).path(), 'utf8')).toBe(`${codes.join('\n')}\n`);
    await page.getByRole('button', { name: 'saved these codes' }).click();
    await page.waitForURL(at('mail'));
    await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor();
    expect(complaints).toEqual([]);

    const { enrolmentTickets, mailOutbox } = service.database.tables;
    const [used] = await service.database.select().from(enrolmentTickets);
    expect(used?.usedAtMs).not.toBeNull();
    const mails = await service.database.select().from(mailOutbox);
    expect(mails.filter((mail) => mail.kind === 'staffTicketIssued').length).toBeGreaterThan(0);
  });

  it('with a passkey, after a wrong mailed code and a second one', async () => {
    await using console = await openConsole(dialect, { STAFF_ROOT_LEVEL: '3' });
    const { page, complaints } = console;
    await addAuthenticator(page);
    const root = await insertRoot(console);
    await sendSignIn(console, root.email, 'enrol');
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByText(`We sent a code to ${root.email}.`).waitFor();
    const code = await mailedCode(console, root.email);
    await page.getByLabel('8-digit code').pressSequentially(code === '12345678' ? '87654321' : '12345678');
    await page.getByText('The console requires a passkey.').waitFor();
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('alert').getByText('The code or ticket was wrong').waitFor();
    expect(await findingsOfAxe(page)).toEqual([]);
    await page.getByLabel('8-digit code').pressSequentially(code);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await saved(page).waitFor();
    await page.getByRole('button', { name: 'saved these codes' }).click();
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    expect(complaints).toEqual([]);
  });

  it('with a passkey only once, and see its backup codes, although the first answer gets lost', async () => {
    await using console = await openConsole(dialect, { STAFF_ROOT_LEVEL: '3' });
    const { page, service } = console;
    await addAuthenticator(page);
    const root = await insertRoot(console);
    await sendSignIn(console, root.email, 'enrol');
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByText(`We sent a code to ${root.email}.`).waitFor();
    await page.getByLabel('8-digit code').pressSequentially(await mailedCode(console, root.email));
    await page.getByRole('heading', { name: 'Add a second factor' }).waitFor();
    let isLost = false;
    await page.route('**/*passkey.add*', async (route) => {
      if (isLost || route.request().url().includes('addOptions')) return route.continue();
      isLost = true;
      await route.fetch();
      return route.abort('connectionreset');
    });
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await page.getByRole('alert').waitFor();
    expect(isLost).toBe(true);
    await page.getByRole('button', { name: 'Add a passkey' }).click();
    await saved(page).waitFor();
    expect(await page.getByRole('listitem').count()).toBe(10);
    const { passkeys } = service.database.tables;
    expect(await service.database.select().from(passkeys)).toHaveLength(1);
  });

  it('with an authenticator app, and each code is sent once when its last digit is typed', async () => {
    await using console = await openConsole(dialect, { STAFF_ROOT_LEVEL: '2' });
    const { page } = console;
    const root = await insertRoot(console);
    await sendSignIn(console, root.email, 'enrol');
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('8-digit code').pressSequentially(await mailedCode(console, root.email));
    await page.getByRole('button', { name: 'Use an authenticator app' }).click();
    const right = totpCode(await shownKey(page), totpStep(Date.now()));
    let calls = 0;
    await page.route('**/*totp.confirm*', (route) => {
      calls += 1;
      return route.continue();
    });
    const field = page.getByLabel('6-digit code');
    await field.pressSequentially(right === '123456' ? '654321' : '123456');
    await page.getByRole('alert').waitFor();
    await field.press('End');
    await field.pressSequentially(' ');
    await field.press('Backspace');
    expect(calls).toBe(1);
    await field.fill(right);
    await saved(page).waitFor();
    expect(calls).toBe(2);
  });

  it('with a recovery code, which replaces the second step or follows a sign-in that has none', {
    timeout: 120_000,
  }, async () => {
    await using console = await openConsole(dialect, { STAFF_ROOT_LEVEL: '2' });
    const { page, service, newPage } = console;
    for (const isStep of [true, false]) {
      const root = await insertRoot(console);
      const ticket = await loseApp(console, root);
      if (isStep) {
        await changeAccess(service.database, { members: [root.id] }, async (tx) => {
          const on = { sql: 'update members set second_factor = 1 where id = ?', params: [root.id] };
          await tx.write({ toSQL: () => on });
        });
      }
      const own = isStep ? page : await newPage({ isOtherPerson: true });
      const documented = isStep ? 'enrol' : 'enrol?next=%2Fconsole%2Fme';
      await sendSignIn({ ...console, page: own }, root.email, documented);
      await own.getByRole('button', { name: 'I have a recovery code' }).click();
      await own.getByLabel('Recovery code').fill(ticket);
      expect(await findingsOfAxe(own)).toEqual([]);
      await own.keyboard.press('Enter');
      await own.getByRole('heading', { name: 'Add a second factor' }).waitFor();
      await own.getByRole('button', { name: 'I have a recovery code' }).waitFor({ state: 'detached' });
      await own.getByRole('button', { name: 'Use another authenticator app' }).click();
      await typeAppCode(own);
      await saved(own).waitFor();
      expect(await findOpenRecovery(service.database, root.id)).toBeUndefined();
      await own.getByRole('button', { name: 'saved these codes' }).click();
      await own.getByRole('navigation', { name: 'Main' }).waitFor();
    }
  });

  it('by the day in FACTORS_UNTIL, to which every screen counts down for staff without one', async () => {
    const FACTORS_UNTIL = new Date(Date.now() + 3 * DAY_MS - 60_000).toISOString();
    await using console = await openConsole(dialect, { STAFF_ROOT_LEVEL: '2', FACTORS_UNTIL });
    const { page, at, complaints } = console;
    const root = await insertRoot(console);
    await sendSignIn(console, root.email, 'me');
    await page.getByRole('navigation', { name: 'Main' }).waitFor();
    for (const screen of ['me', 'members', 'audit']) {
      await page.goto(at(screen));
      await page.getByText('3 days left to add a second factor.').waitFor();
    }
    expect(await findingsOfAxe(page)).toEqual([]);
    // The frame stays while another screen is shown.
    await page.getByRole('link', { name: 'Emails', exact: true }).click();
    await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor();
    await page.getByRole('link', { name: 'Add one now' }).click();
    await page.getByRole('button', { name: 'Email me a code' }).click();
    await page.getByLabel('8-digit code').pressSequentially(await mailedCode(console, root.email));
    await page.getByRole('button', { name: 'Use an authenticator app' }).click();
    await typeAppCode(page);
    await page.getByRole('button', { name: 'saved these codes' }).click();
    await page.waitForURL(at('mail'));
    await page.getByRole('heading', { level: 1, name: 'Emails' }).waitFor();
    expect(await page.getByText('days left').count()).toBe(0);
    expect(complaints).toEqual([]);
  });
});

describe('the old address of the enrollment', () => {
  it('keeps its query, and says where to go while the console is switched off', async () => {
    await using on = await startService(createApp, {
      dialect,
      application: 'admin',
      env: developmentEnvironment(),
    });
    const led = await fetch(`${on.url}/enrol?next=%2Fconsole%2Fmail`, { redirect: 'manual' });
    expect([led.status, led.headers.get('location')]).toEqual([302, '/console/enrol?next=%2Fconsole%2Fmail']);
    await using off = await startService(createApp, {
      dialect,
      application: 'admin',
      env: { ...developmentEnvironment(), CONSOLE: 'off' },
    });
    const told = await fetch(`${off.url}/enrol`);
    expect([told.status, await told.text()]).toEqual([404, expect.stringContaining('CONSOLE=off')]);
  });
});
