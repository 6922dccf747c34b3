import { createApp } from '@gatehouse/api-main/app';
import { type RunningService, signIn, startService } from '@gatehouse/testkit';
import jwt from 'jsonwebtoken';
import { describe, expect, inject, it } from 'vitest';
import { operatorChange } from '../test/operator-change.js';
import { ACME_SECRET, exchange, loginTokenIn, partnerClient } from '../test/partner-client.js';
import { addPartner } from './add-partner.js';
import { stopPartner } from './change-partner.js';
import { rotatePartnerSecret } from './rotate-partner-secret.js';

const dialect = inject('dialect');
const start = () => startService(createApp, { dialect, application: 'web' });
const ORIGIN = 'http://127.0.0.1:4010';
const PATH = '/partnerAuth/partnerSignIn';

async function goOver(
  service: RunningService,
  request: Readonly<Record<string, unknown>>,
  email = 'owner@acme.test',
): Promise<Response> {
  const { token } = await signIn(service, email);
  return service.send(PATH, { token, body: { partner: 'acme-partner', ...request } });
}

async function redirectOf(response: Response): Promise<URL> {
  const { redirectUrl } = (await response.json()) as { redirectUrl: string };
  return new URL(redirectUrl);
}

function claimsIn(url: URL, secretKey = ACME_SECRET): Record<string, unknown> {
  const token = url.searchParams.get('token') ?? '';
  return jwt.verify(token, secretKey, { algorithms: ['HS256'] }) as Record<string, unknown>;
}

const OLIVIA = {
  id: 3,
  email: 'owner@acme.test',
  emailVerified: true,
  username: 'owner.acme',
  firstName: 'Olivia',
  lastName: 'Marsh',
};

/** The signed data of a caller who sends no data. */
const SIGNED_OLIVIA = { ...OLIVIA, caller: {} };

describe('a sign-in at a partner', () => {
  it('carries the caller’s own profile, signed with the partner’s secret for five minutes', async () => {
    await using service = await start();
    const url = await redirectOf(await goOver(service, {}));
    expect(`${url.origin}${url.pathname}`).toBe(`${ORIGIN}/`);
    const claims = claimsIn(url);
    expect(claims).toMatchObject({
      partner: 'acme-partner',
      user_data: SIGNED_OLIVIA,
      redirect_url: ORIGIN,
      timestamp: expect.any(Number),
    });
    expect(Number(claims['exp']) - Number(claims['iat'])).toBe(300);
  });

  it('is for members only', async () => {
    await using service = await start();
    const response = await service.send(PATH, { body: { partner: 'acme-partner' } });
    expect([response.status, await response.text()]).toEqual([401, 'unauthorized access']);
    const { token: bearer } = await partnerClient(service);
    expect((await service.send(PATH, { bearer, body: { partner: 'acme-partner' } })).status).toBe(401);
  });

  it("vouches only for the profile, and keeps the caller's data separate from it", async () => {
    await using service = await start();
    const userData = {
      plan: 'gold',
      seats: 3,
      trial: false,
      note: null,
      id: 1,
      uid: 1,
      user_id: 1,
      sub: '1',
      email: 'root@gatehouse.test',
      user_email: 'root@gatehouse.test',
      email_verified: true,
      ｅｍａｉｌ: 'root@gatehouse.test',
      role: 0,
      roles: 'admin',
      isAdmin: true,
      isPersonnel: true,
      caller: 'nobody',
    };
    const url = await redirectOf(await goOver(service, { user_data: userData }));
    expect(claimsIn(url)['user_data']).toEqual({ ...OLIVIA, caller: userData });
  });

  it('cannot be tampered with through the prototype', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'owner@acme.test');
    const body = '{"partner":"acme-partner","user_data":{"__proto__":{"id":1},"plan":"gold"}}';
    const response = await service.send(PATH, { token, body });
    if (response.status === 200) {
      expect(claimsIn(await redirectOf(response))['user_data']).toEqual({
        ...OLIVIA,
        caller: { plan: 'gold' },
      });
    } else {
      expect(response.status).toBe(400);
    }
  });

  it('sends neither an unconfirmed address nor such an address as username', async () => {
    await using service = await start();
    const partner = await partnerClient(service);
    const email = 'victim@example.org';
    const { loginUrl } = await partner.register({ email, username: email });
    const { token } = await exchange(service, loginTokenIn(loginUrl));
    const response = await service.send(PATH, { token, body: { partner: 'acme-partner' } });
    expect(claimsIn(await redirectOf(response))['user_data']).toMatchObject({
      email: null,
      emailVerified: false,
      username: null,
    });
  });

  it('is refused in a session that another partner began', async () => {
    await using service = await start();
    await addPartner(operatorChange(service), { name: 'other', appUrl: 'https://other.example' });
    const partner = await partnerClient(service);
    const { loginUrl } = await partner.register({ email: 'ada@example.org' });
    const { token } = await exchange(service, loginTokenIn(loginUrl));
    const response = await service.send(PATH, { token, body: { partner: 'other' } });
    expect([response.status, await response.json()]).toMatchObject([
      403,
      { error: { code: 'permission_denied' } },
    ]);
  });

  it('refuses extra fields that are not scalar or exceed 2 kB, and names of no partner, as invalid input', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'owner@acme.test');
    for (const flaw of [
      { user_data: 'text' },
      { user_data: { nested: { id: 1 } } },
      { user_data: { list: [1] } },
      { user_data: { long: 'x'.repeat(2100) } },
      { user_data: Object.fromEntries(Array.from({ length: 400 }, (_, index) => [`field${index}`, 1])) },
      { redirect_url: 7 },
      { partner: {} },
      { partner: '' },
    ]) {
      const response = await service.send(PATH, { token, body: { partner: 'acme-partner', ...flaw } });
      expect([flaw, response.status]).toEqual([flaw, 400]);
    }
  });

  it('leads to any place at the partner’s origin', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'owner@acme.test');
    for (const redirectUrl of [
      `${ORIGIN}/landing?from=gatehouse&token=mine#part`,
      `${ORIGIN}?x=1`,
      `${ORIGIN}#part`,
      ORIGIN,
      `${ORIGIN}/a//b`,
    ]) {
      const body = { partner: 'acme-partner', redirect_url: redirectUrl };
      const url = await redirectOf(await service.send(PATH, { token, body }));
      const asked = new URL(redirectUrl);
      expect([url.origin, url.pathname, url.hash]).toEqual([ORIGIN, asked.pathname, asked.hash]);
      expect(url.searchParams.getAll('token')).toHaveLength(1);
      expect(claimsIn(url)['redirect_url']).toBe(redirectUrl);
      for (const [name, value] of asked.searchParams) {
        if (name !== 'token') expect(url.searchParams.get(name)).toBe(value);
      }
    }
  });

  it('redirects to no other origin, in any spelling', async () => {
    await using service = await start();
    const { token } = await signIn(service, 'owner@acme.test');
    for (const redirectUrl of [
      'https://127.0.0.1:4010/',
      'http://127.0.0.1:4011/',
      'http://127.0.0.1/',
      'http://127.0.0.1:40100/',
      'http://localhost:4010/',
      'http://user@127.0.0.1:4010/',
      'http://127.0.0.1:4010@evil.example/',
      'http://user:word@127.0.0.1:4010/',
      'http://127.0.0.1:4010.evil.example/',
      'http://evil.example/http://127.0.0.1:4010/',
      '//127.0.0.1:4010/',
      '//evil.example',
      '/landing',
      'http:/127.0.0.1:4010/',
      'http:127.0.0.1:4010/',
      'http:\\\\127.0.0.1:4010\\',
      'http://127.0.0.1:4010\\@evil.example/',
      'http://127.0.0.1:4010//evil.example',
      'http://127.0.0.1:4010/\\evil.example',
      'http://127.0.0.1:4010/\t/evil.example',
      ' http://127.0.0.1:4010/',
      'http://127.0.0.1:4010/\r\nLocation: https://evil.example',
      'http://2130706433:4010/',
      'http://127.1:4010/',
      'http://127.0.0.1:4010。evil.example/',
      'javascript://127.0.0.1:4010/%0aalert(1)',
      'data:text/html,hello',
      'blob:http://127.0.0.1:4010/1',
      '',
      'null',
    ]) {
      const response = await service.send(PATH, {
        token,
        body: { partner: 'acme-partner', redirect_url: redirectUrl },
      });
      const answer: unknown = await response.json();
      expect([redirectUrl, response.status, answer]).toMatchObject([
        redirectUrl,
        400,
        { error: { code: 'invalid_input' } },
      ]);
    }
  });

  it('is signed with the older secret while a rotation lasts, then with the new one', async () => {
    let now = Date.now();
    await using service = await startService(createApp, { dialect, application: 'web', now: () => now });
    const { secretKey } = await rotatePartnerSecret(operatorChange(service), {
      partnerId: 1,
      overlapSeconds: 60,
    });
    claimsIn(await redirectOf(await goOver(service, {})), ACME_SECRET);
    now += 60_000;
    const url = await redirectOf(await goOver(service, {}));
    expect(() => claimsIn(url, ACME_SECRET)).toThrow('invalid signature');
    claimsIn(url, secretKey);
  });

  it('refuses unknown and deactivated partners', async () => {
    await using service = await start();
    expect((await goOver(service, { partner: 'nobody' })).status).toBe(404);
    await stopPartner(operatorChange(service), 1);
    expect((await goOver(service, {})).status).toBe(404);
  });

  it('issues a token that gives no access here', async () => {
    await using service = await start();
    const token = (await redirectOf(await goOver(service, {}))).searchParams.get('token') ?? '';
    expect((await service.send('/auth/me', { token })).status).toBe(401);
    expect((await service.send('/auth/me', { bearer: token })).status).toBe(401);
    const body = { tempLogin: true, token };
    expect((await service.send('/webauthenticate', { body })).status).toBe(403);
  });
});
