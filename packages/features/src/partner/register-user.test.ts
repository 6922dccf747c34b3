import { createApp } from '@gatehouse/api-main/app';
import { verifyPassword } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findCredentialById } from '@gatehouse/db/queries/passwords';
import { type RunningService, startService } from '@gatehouse/testkit';
import CryptoJS from 'crypto-js';
import jwt from 'jsonwebtoken';
import { describe, expect, inject, it } from 'vitest';
import { exchange, loginTokenIn, partnerClient } from '../test/partner-client.js';

const dialect = inject('dialect');
const start = () => startService(createApp, { dialect, application: 'web' });

function payloadOf(service: RunningService, token: string): unknown {
  const secret = service.services.config.JWT_SECRET_KEY;
  const { data } = jwt.verify(token, secret) as { data: string };
  return JSON.parse(CryptoJS.AES.decrypt(data, secret).toString(CryptoJS.enc.Utf8));
}

const COUNTED = [
  'members',
  'accounts',
  'memberships',
  'subscriptions',
  'partnerMembers',
  'sessions',
  'mailOutbox',
  'auditLog',
] as const;

async function countRows({ tables, select }: Database): Promise<Record<string, number>> {
  const counts = COUNTED.map(async (name) => [name, (await select().from(tables[name])).length] as const);
  return Object.fromEntries(await Promise.all(counts));
}

describe('a partner’s registration', () => {
  it('returns a login URL at the partner’s own address, whose token signs the new owner in once', async () => {
    await using service = await start();
    const partner = await partnerClient(service);
    const { loginUrl, userId, accountId } = await partner.register({ email: 'ada@example.org' });
    const token = loginTokenIn(loginUrl);
    expect(payloadOf(service, token)).toEqual({
      type: 'partnerLogin',
      userId,
      role: 5,
      defaultPaymentId: 2,
      accountIds: [accountId],
      partnerId: 1,
      sessionEpoch: 0,
    });

    const session = await exchange(service, token);
    expect(session).toMatchObject({ userId, accountId });
    const second = await service.send('/webauthenticate', { body: { tempLogin: true, token } });
    expect(second.status).toBe(403);
    expect(await second.json()).toMatchObject({ status: false, error: { code: 'invalid_token' } });
    const me = await service.send('/auth/me', { token: session.token, accountId });
    expect(await me.json()).toMatchObject({
      member: { id: userId, email: 'ada@example.org', role_type: 5, emailVerified: false },
      memberships: [{ accountId, role: 1, accountName: 'Ada Byron' }],
      partner: { partnerId: 1, name: 'acme-partner' },
    });
  });

  it('takes the username and the account name the partner chose', async () => {
    await using service = await start();
    const partner = await partnerClient(service);
    const chosen = { username: 'countess', accountName: 'Analytical Engines' };
    const { loginUrl } = await partner.register({ email: 'ada@example.org', ...chosen });
    const { token } = await exchange(service, loginTokenIn(loginUrl));
    expect(await (await service.send('/auth/me', { token })).json()).toMatchObject({
      member: { username: 'countess' },
      memberships: [{ accountName: 'Analytical Engines' }],
    });
  });

  it('answers 409 to a taken address or username, and changes nothing', async () => {
    await using service = await start();
    const { token: bearer } = await partnerClient(service);
    const before = await countRows(service.database);
    for (const [person, code] of [
      [{ email: 'owner@acme.test' }, 'email_taken'],
      [{ email: 'OWNER@ACME.test' }, 'email_taken'],
      [{ email: 'root@gatehouse.test' }, 'email_taken'],
      [{ email: 'archived@acme.test' }, 'email_taken'],
      [{ email: 'new@example.org', username: 'Owner.Acme' }, 'username_taken'],
    ] as const) {
      const body = { firstName: 'Ada', lastName: 'Byron', ...person };
      const response = await service.send('/partnerAuth/registerUser', { bearer, body });
      const answer = (await response.json()) as { error: { code: string } };
      expect([response.status, answer.error.code]).toEqual([409, code]);
      expect(JSON.stringify(answer)).not.toContain('token=');
    }
    expect(await countRows(service.database)).toEqual(before);
  });

  it('creates one member in any number of concurrent registrations of one address', async () => {
    await using service = await start();
    const { token: bearer } = await partnerClient(service);
    const before = await countRows(service.database);
    const body = { email: 'ada@example.org', firstName: 'Ada', lastName: 'Byron' };
    const many = 15;
    const answers = await Promise.all(
      Array.from({ length: many }, () => service.send('/partnerAuth/registerUser', { bearer, body })),
    );
    const statuses = answers.map(({ status }) => status).sort((one, other) => one - other);
    expect(statuses).toEqual([200, ...Array.from({ length: many - 1 }, () => 409)]);
    const after = await countRows(service.database);
    for (const name of ['members', 'accounts', 'memberships', 'subscriptions', 'partnerMembers'] as const) {
      expect([name, after[name]]).toEqual([name, (before[name] ?? 0) + 1]);
    }
  });

  it('keeps the password secret: bcrypt of cost 10, in no answer, log line or mail', async () => {
    await using service = await start();
    const partner = await partnerClient(service);
    const answer = await partner.register({ email: 'ada@example.org' });
    const stored = (await findCredentialById(service.database, answer.userId))?.password ?? '';
    expect(stored).toMatch(/^\$2[aby]\$10\$/);
    const { mailOutbox, auditLog } = service.database.tables;
    const mails = await service.database.select().from(mailOutbox);
    const audit = await service.database.select().from(auditLog);
    const told = JSON.stringify([answer, service.logLines, mails, audit]);
    expect(told).not.toContain(stored);
    const words = new Set(told.match(/(?<![A-Za-z0-9])[A-Za-z0-9]{12}(?![A-Za-z0-9])/g) ?? []);
    for (const word of words) expect(await verifyPassword(word, stored)).toBe(false);
  });

  it('reads only documented fields from the body', async () => {
    await using service = await start();
    const partner = await partnerClient(service);
    const { userId } = await partner.register({
      email: 'ada@example.org',
      password: 'Chosen-By-Partner-1',
      role_type: 0,
      roleType: 0,
      isPersonnel: true,
      id: 3,
      emailConfirmedAtMs: 1,
      createdByPartnerId: null,
      accountId: 1,
    });
    const member = await findCredentialById(service.database, userId);
    expect(member).toMatchObject({ roleType: 5, isPersonnel: false, emailConfirmedAtMs: null });
    expect(userId).toBeGreaterThan(11);
    expect(await verifyPassword('Chosen-By-Partner-1', member?.password ?? '')).toBe(false);
  });

  it('refuses a person whom it could not store as sent', async () => {
    await using service = await start();
    const { token: bearer } = await partnerClient(service);
    for (const flaw of [
      { email: undefined },
      { email: 'ada@example.org\r\nBcc: eve@example.org' },
      { firstName: 'A\u0000da' },
      { firstName: 1 },
      { lastName: '\u200b' },
      { username: '\u200b' },
      { accountName: 'x'.repeat(101) },
    ]) {
      const body = { email: 'ada@example.org', firstName: 'Ada', lastName: 'Byron', ...flaw };
      const response = await service.send('/partnerAuth/registerUser', { bearer, body });
      expect([flaw, response.status]).toEqual([flaw, 400]);
    }
  });

  it('is limited per partner', async () => {
    await using service = await startService(createApp, {
      dialect,
      application: 'web',
      env: { PARTNER_REGISTRATIONS_PER_MINUTE: '2' },
    });
    const partner = await partnerClient(service);
    await partner.register({ email: 'one@example.org' });
    await partner.register({ email: 'two@example.org' });
    const body = { email: 'three@example.org', firstName: 'Ada', lastName: 'Byron' };
    const third = await service.send('/partnerAuth/registerUser', { bearer: partner.token, body });
    expect([third.status, Number(third.headers.get('retry-after')) > 0]).toEqual([429, true]);
    await partner.signOn({ email: 'two@example.org' });
  });
});
