import { findCredential } from '@gatehouse/db/queries/passwords';
import { signIn, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createApp } from './app.js';
import { routes } from './routes.js';

const dialect = inject('dialect');
const password = 'Lantern-Harbor-42';
const MEMBERS = ['root@gatehouse.test', 'owner@acme.test', 'designer@acme.test', 'legacy@acme.test'];

describe('secrets', () => {
  it('appear in no answer and no log line of any call or failure', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const { JWT_SECRET_KEY, SESSION_SECRET, DATA_ENCRYPTION_KEY } = service.services.config;
    const answers: string[] = [];
    const tokens: string[] = [];
    const keep = async (response: Response) => {
      const body = await response.text();
      answers.push(`${[...response.headers].flat().join(' ')} ${body}`);
      return body;
    };

    for (const email of MEMBERS) {
      const { token } = await signIn(service, email);
      tokens.push(token);
      await keep(await service.send('/login', { body: { email, password } }));
      await keep(await service.send('/authenticate', { body: { email, password: `${password}x` } }));
      await keep(await service.send('/authenticate', { body: `{"password":"${password}", broken` }));
      for (const row of routes) {
        for (const method of row.methods) {
          const path = row.path.replaceAll(/:[A-Za-z]+/g, '3');
          if (path.startsWith('/social') || path === '/auth/logout' || email === MEMBERS[3]) continue;
          const body =
            method === 'POST'
              ? { body: { search: password, username: '', token: 'x', password, email } }
              : {};
          await keep(await service.send(path, { method, token, accountId: 1, ...body }));
          await keep(await service.send(`${path}?password=${password}&token=${token}`, { method }));
        }
      }
      await keep(await service.send('/auth/logout', { method: 'POST', token }));
    }
    const stored = await Promise.all(MEMBERS.map((email) => findCredential(service.database, email)));
    const hashes = stored.map((member) => member?.password ?? '');
    expect(hashes.every((hash) => hash.startsWith('$2b$10$'))).toBe(true);

    const everywhere = [password, ...hashes, JWT_SECRET_KEY, SESSION_SECRET, DATA_ENCRYPTION_KEY];
    const inLogs = [...everywhere, ...tokens, 'password='];
    expect(answers.length).toBeGreaterThan(100);
    expect(service.logLines.length).toBeGreaterThan(100);
    for (const [index, secret] of everywhere.entries()) {
      const found = answers.find((answer) => answer.includes(secret));
      expect([index, found]).toEqual([index, undefined]);
    }
    for (const [index, secret] of inLogs.entries()) {
      const found = service.logLines.find((line) => line.includes(secret));
      expect([index, found]).toEqual([index, undefined]);
    }
    for (const line of service.logLines) expect(JSON.parse(line)).toHaveProperty('event');
  });

  it('cannot forge a log line through a header, a path or a name', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const forged = '\\n{"event":"login.ok","memberId":1}';
    await service.send(`/getUserdetail${encodeURIComponent('\n{"event":"login.ok"}')}`);
    await service.send('/webauthenticate', {
      body: { email: forged, password },
      headers: { 'user-agent': forged },
    });
    await service.send('/nothing-here/\u0000%0a%7b%22event%22');
    expect(service.logLines.filter((line) => line.includes('login.ok'))).toEqual([]);
    expect(service.logLines.every((line) => line.trimEnd().split('\n').length === 1)).toBe(true);
  });
});

describe('the security log', () => {
  it('records logins, failed logins, ended tokens and refused access, with the member and the address', async () => {
    await using service = await startService(createApp, { dialect, application: 'web' });
    const { token } = await signIn(service, 'owner@acme.test');
    await service.send('/webauthenticate', {
      body: { email: 'owner@acme.test', password: 'not-the-password' },
    });
    await service.send('/getAllMemberslist', { token, accountId: 3 });
    await service.send('/trpc/member.list', { token, accountId: 3 });
    await service.send('/auth/logout', { method: 'POST', token });
    await service.send('/auth/me', { token });
    const events = service.logLines.map((line) => JSON.parse(line) as Record<string, unknown>);
    const told = events
      .filter(({ event }) => event !== 'request')
      .map(({ event, memberId, reason }) => ({ event, memberId, reason }));
    expect(told).toEqual([
      { event: 'login.ok', memberId: 3, reason: undefined },
      { event: 'login.failed', memberId: 3, reason: 'invalid_credentials' },
      { event: 'access.denied', memberId: 3, reason: 'account_forbidden' },
      { event: 'access.denied', memberId: 3, reason: 'account_forbidden' },
      { event: 'token.revoked', memberId: 3, reason: undefined },
      { event: 'access.denied', memberId: undefined, reason: 'unauthorized' },
    ]);
    for (const event of events)
      expect(event).toMatchObject({ address: '127.0.0.1', requestId: expect.any(String) });
  });
});
