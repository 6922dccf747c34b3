import { createApp } from '@gatehouse/api-main/app';
import { insertTestMember, type RunningService, signIn, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { exchange, partnerClient } from '../test/partner-client.js';

const dialect = inject('dialect');
const PASSWORD = 'Lantern-Harbor-42';

const prove = (service: RunningService, token: string, password: unknown) =>
  service.send('/v1/verification/prove', { token, body: { password } });

async function verifiedAtMs(service: RunningService, memberId: number): Promise<(number | null)[]> {
  const { sessions } = service.database.tables;
  const rows = await service.database.select().from(sessions);
  return rows.filter((row) => row.memberId === memberId).map((row) => row.verifiedAtMs);
}

describe('verifying a session again', () => {
  it('verifies only the session of the call by the password, for ten minutes', async () => {
    let nowMs = Date.now();
    await using service = await startService(createApp, { dialect, application: 'web', now: () => nowMs });
    const one = await signIn(service, 'owner@acme.test');
    await signIn(service, 'owner@acme.test');
    const startedAtMs = nowMs;
    expect(await verifiedAtMs(service, 3)).toEqual([startedAtMs, startedAtMs]);
    nowMs += 3_600_000;
    const answer = await prove(service, one.token, PASSWORD);
    expect(await answer.json()).toMatchObject({
      status: true,
      data: { level: 1, verifiedUntil: new Date(nowMs + 600_000).toISOString() },
    });
    expect(await verifiedAtMs(service, 3)).toEqual([nowMs, startedAtMs]);
  });

  it('gives a token of the replaced system a session, and keeps it valid', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const { database } = service;
    const { members } = database.tables;
    const [owner] = await database.select({ password: members.password }).from(members).limit(1);
    const rowless = await insertTestMember(database, {
      withSession: false,
      passwordHash: owner?.password ?? '',
    });
    expect(await verifiedAtMs(service, rowless.id)).toEqual([]);
    expect((await prove(service, rowless.token, PASSWORD)).status).toBe(200);
    expect(await verifiedAtMs(service, rowless.id)).toEqual([expect.any(Number)]);
    expect((await service.send('/auth/me', { token: rowless.token })).status).toBe(200);
  });

  it('counts a wrong password as a failed login, and both share one lock', async () => {
    const env = { LOGIN_FAILURES_PER_MEMBER: '3' };
    await using service = await startService(createApp, { dialect, application: 'web', env });
    const { token } = await signIn(service, 'owner@acme.test');
    const statuses: number[] = [];
    for (let tries = 0; tries < 4; tries += 1)
      statuses.push((await prove(service, token, 'Wrong-Password-1')).status);
    expect(statuses).toEqual([401, 401, 401, 429]);
    const login = { email: 'owner@acme.test', password: PASSWORD };
    expect((await service.send('/webauthenticate', { body: login })).status).toBe(429);
    expect(service.logLines.filter((line) => line.includes('login.failed'))).toHaveLength(3);
  });

  it('refuses a session that a partner began, and input that is not text', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const partner = await partnerClient(service);
    const { userId } = await partner.register({ email: 'ada@example.org' });
    const begun = await exchange(service, await partner.signOn({ userId }));
    expect((await prove(service, begun.token, PASSWORD)).status).toBe(403);
    const { token } = await signIn(service, 'owner@acme.test');
    for (const password of [0, null, true, [], {}, ''])
      expect((await prove(service, token, password)).status).toBe(400);
  });
});
