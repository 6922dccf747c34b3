import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { hashPassword, randomToken, totpCode, totpStep } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import {
  approveRecovery,
  findOpenRecovery,
  insertRecovery,
  setRecoveryTicket,
} from '@gatehouse/db/queries/recoveries';
import { confirmTotp, setPendingTotp } from '@gatehouse/db/queries/second-factors';
import { DEMONSTRATION_PASSWORD as PASSWORD } from '@gatehouse/runtime/config/secrets';
import { developmentEnvironment, fromBase32, insertTestMember, startService } from '@gatehouse/testkit';
import { openBrowser } from '@gatehouse/testkit/browser';
import { describe, expect, inject, it } from 'vitest';
import { ticketDigests } from '../recovery/recovery-tickets.js';
import { sealTotpSecret } from '../second-factor/factor-codes.js';
import { endFactors, printTicket } from '../staff-enrolment.js';

const dialect = inject('dialect');

describe('the page where staff set up their first factor', () => {
  it('takes the ticket of an operator once, by keyboard alone, and fits a small dark screen', async () => {
    const env = { ...developmentEnvironment(), STAFF_ROOT_LEVEL: '2' };
    await using service = await startService(createAdminApp, { dialect, application: 'admin', env });
    await using browser = await openBrowser();
    const { database: db, services } = service;
    const passwordHash = await hashPassword(PASSWORD);
    const root = await insertTestMember(db, {
      isPersonnel: true,
      roleType: 0,
      isConfirmed: true,
      passwordHash,
    });
    const holder = { memberId: root.id, email: root.email, endsFactors: true };
    const ticket = await changeAccess(db, { members: [root.id] }, async (tx) => {
      await endFactors(tx, { memberId: root.id, nowMs: Date.now() });
      return printTicket(tx, { services }, holder);
    });
    expect((await service.send('/auth/me', { token: root.token })).status).toBe(401);

    const page = await browser.context.newPage();
    await page.setViewportSize({ width: 320, height: 640 });
    await page.emulateMedia({ colorScheme: 'dark' });
    const problems: string[] = [];
    page.on('pageerror', (error) => void problems.push(error.message));
    const answer = await page.goto(`${service.url}/enrol`);
    expect(answer?.headers()['content-security-policy']).toContain("script-src 'self'");
    expect(await page.evaluate('document.documentElement.scrollWidth > window.innerWidth')).toBe(false);

    await page.getByLabel('E-mail address').focus();
    await page.keyboard.type(root.email);
    await page.keyboard.press('Tab');
    await page.keyboard.type(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Add a factor' }).waitFor();
    expect(await page.textContent('#has')).toContain('level 2');
    await page.getByLabel('Ticket', { exact: true }).focus();
    await page.keyboard.type(ticket);
    await page.getByRole('button', { name: 'Add an authenticator app' }).focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Authenticator app' }).waitFor();
    const secret = (await page.textContent('#secret')) ?? '';
    await page.getByLabel('The code that the app shows').focus();
    await page.keyboard.type(totpCode(fromBase32(secret), totpStep(Date.now())));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    expect(await page.locator('#backupCodes li').count()).toBe(10);
    expect(problems).toEqual([]);

    const { enrolmentTickets, mailOutbox } = db.tables;
    const [used] = await db.select().from(enrolmentTickets);
    expect(used?.usedAtMs).not.toBeNull();
    const mails = await db.select().from(mailOutbox);
    expect(mails.filter((mail) => mail.kind === 'staffTicketIssued').length).toBeGreaterThan(0);
  });

  it('takes the ticket of a recovery from staff whose sign-in takes no second step', async () => {
    const env = { ...developmentEnvironment(), STAFF_ROOT_LEVEL: '2' };
    await using service = await startService(createAdminApp, { dialect, application: 'admin', env });
    await using browser = await openBrowser();
    const { database: db, services } = service;
    const passwordHash = await hashPassword(PASSWORD);
    const root = await insertTestMember(db, {
      isPersonnel: true,
      roleType: 0,
      isConfirmed: true,
      passwordHash,
    });
    const memberId = root.id;
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

    const page = await browser.context.newPage();
    await page.goto(`${service.url}/enrol`);
    await page.getByLabel('E-mail address').fill(root.email);
    await page.getByLabel('Password').fill(PASSWORD);
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Add a factor' }).waitFor();
    await page.getByLabel('Ticket of the recovery').fill(ticket);
    await page.keyboard.press('Enter');
    await page.getByLabel('Ticket of the recovery').waitFor({ state: 'hidden' });
    await page.getByRole('button', { name: 'Add an authenticator app' }).click();
    await page.getByRole('heading', { name: 'Authenticator app' }).waitFor();
    const shown = (await page.textContent('#secret')) ?? '';
    await page
      .getByLabel('The code that the app shows')
      .fill(totpCode(fromBase32(shown), totpStep(Date.now())));
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Done' }).waitFor();
    expect(await findOpenRecovery(db, memberId)).toBeUndefined();
  });
});
