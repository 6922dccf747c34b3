import { createApp } from '@gatehouse/api-main/app';
import { findCredential } from '@gatehouse/db/queries/passwords';
import { signInByPassword, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';

const dialect = inject('dialect');
const start = () => startService(createApp, { dialect, application: 'web' });
const password = 'Lantern-Harbor-42';
const apptype = (name: string) => ({ apptype: Buffer.from(name).toString('base64') });
const LOGINS = ['/login', '/authenticate', '/webauthenticate', '/desigrauthenticate'];

describe.each(LOGINS)('POST %s', (path) => {
  it('gives one answer to unknown, wrong, archived and injected credentials', async () => {
    await using service = await start();
    const bodies = [
      { email: 'nobody@acme.test', password },
      { email: 'owner@acme.test', password: 'wrong-password' },
      { email: 'archived@acme.test', password },
      { email: "owner@acme.test' OR '1'='1", password },
      { email: '%', password },
    ];
    for (const body of bodies) {
      const response = await service.send(path, { body });
      expect(response.status).toBe(401);
      const { requestId, ...rest } = (await response.json()) as { requestId: string };
      expect(requestId).toBe(response.headers.get('x-request-id'));
      expect(rest).toEqual({
        status: false,
        message: 'The email or the password is wrong.',
        error: { code: 'invalid_credentials' },
      });
    }
  });

  it('never accepts the stored value as a password', async () => {
    await using service = await start();
    const stored = await findCredential(service.database, 'designer@acme.test');
    const response = await service.send(path, {
      body: { email: 'designer@acme.test', password: stored?.password },
    });
    expect(response.status).toBe(401);
  });

  it('answers 400 with issues to input of another shape', async () => {
    await using service = await start();
    for (const body of [
      {},
      { email: 1, password },
      { email: ['owner@acme.test'], password },
      { email: {}, password: {} },
    ]) {
      const response = await service.send(path, { body });
      expect(response.status).toBe(400);
      expect(await response.json()).toMatchObject({
        error: {
          code: 'invalid_input',
          issues: expect.arrayContaining([{ path: expect.any(String), message: expect.any(String) }]),
        },
      });
    }
    for (const body of ['[]', '"text"', '{broken', 'null', '1']) {
      expect((await service.send(path, { body })).status).toBe(400);
    }
  });

  it('accepts a form as well as JSON, and refuses other types and sizes', async () => {
    await using service = await start();
    const form = new URLSearchParams({ email: 'designer@acme.test', password }).toString();
    const type = (name: string) => ({ 'content-type': name });
    const formType = type('application/x-www-form-urlencoded');
    expect((await service.send(path, { body: form, headers: formType })).status).toBe(200);
    expect((await service.send(path, { body: '<a/>', headers: type('text/xml') })).status).toBe(415);
    const asForm = await service.send(path, {
      body: JSON.stringify({ email: 'designer@acme.test', password }),
      headers: formType,
    });
    expect([asForm.status, await asForm.json()]).toMatchObject([
      415,
      {
        message: 'Send the body as application/json, uncompressed.',
        error: {
          code: 'unsupported_media_type',
          issues: [{ message: 'This body is JSON, but its Content-Type says that it is a form' }],
        },
      },
    ]);
    expect((await service.send(path, { body: { email: 'x'.repeat(101_000), password } })).status).toBe(413);
    expect((await service.send(path, { method: 'GET' })).status).toBe(405);
  });
});

describe('a password in plain text', () => {
  it('is hashed before its owner’s attempt is compared, and the owner keeps it', async () => {
    await using service = await start();
    const before = await findCredential(service.database, 'legacy@acme.test');
    expect(before?.password).toBe(password);
    await signInByPassword(service, 'legacy@acme.test');
    const after = await findCredential(service.database, 'legacy@acme.test');
    expect(after?.password).toMatch(/^\$2b\$10\$/);
    await signInByPassword(service, 'legacy@acme.test');
  });

  it('is hashed by a wrong attempt too, and by fifty concurrent ones', async () => {
    await using service = await start();
    const attempts = Array.from({ length: 20 }, (_, index) =>
      service.send('/webauthenticate', {
        body: { email: 'legacy@acme.test', password: index % 2 === 0 ? password : 'wrong-password' },
      }),
    );
    const statuses = (await Promise.all(attempts)).map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(10);
    expect(statuses.filter((status) => status === 401)).toHaveLength(10);
  });
});

describe('POST /webauthenticate', () => {
  it('treats fields that are null or empty as absent', async () => {
    await using service = await start();
    const name = 'owner@acme.test';
    for (const empty of [null, '']) {
      const rest = { token: empty, social: empty, tempLogin: empty };
      for (const body of [
        { ...rest, email: name, sid: empty, password },
        { ...rest, email: empty, sid: name, password },
      ]) {
        const response = await service.send('/webauthenticate', { body });
        expect([JSON.stringify(body), response.status]).toEqual([JSON.stringify(body), 200]);
      }
      const response = await service.send('/webauthenticate', {
        body: { email: empty, sid: empty, social: empty, tempLogin: true, token: empty },
      });
      expect([response.status, await response.json()]).toMatchObject([
        403,
        { error: { code: 'invalid_token' } },
      ]);
    }
    const form = new URLSearchParams({ email: name, sid: '', password, tempLogin: '', token: '' });
    const headers = { 'content-type': 'application/x-www-form-urlencoded' };
    const response = await service.send('/webauthenticate', { body: form.toString(), headers });
    expect(response.status).toBe(200);
  });
});

describe('the application type', () => {
  it('lets only designers into designer, and only staff into admin', async () => {
    await using service = await start();
    const login = async (email: string, headers: Record<string, string>, path = '/webauthenticate') =>
      (await service.send(path, { body: { email, password }, headers })).status;
    expect(await login('designer@acme.test', apptype('designer'))).toBe(200);
    expect(await login('owner@acme.test', apptype('designer'))).toBe(403);
    expect(await login('staff@gatehouse.test', apptype('admin'))).toBe(200);
    expect(await login('owner@acme.test', apptype('admin'))).toBe(403);
    expect(await login('owner@acme.test', apptype('mobile'))).toBe(200);
    expect(await login('owner@acme.test', apptype('toaster'))).toBe(200);
    expect(await login('owner@acme.test', { apptype: 'not base64!' })).toBe(400);
    expect(await login('designer@acme.test', {}, '/desigrauthenticate')).toBe(200);
    expect(await login('owner@acme.test', {}, '/desigrauthenticate')).toBe(403);
  });
});

describe('the plain login', () => {
  it('returns the member and a token without access', async () => {
    await using service = await start();
    const response = await service.send('/login', { body: { email: 'owner@acme.test', password } });
    const body = (await response.json()) as { data: object; access_token: string };
    expect(Object.keys(body.data).toSorted()).toEqual([
      'createdAt',
      'email',
      'emailVerified',
      'firstName',
      'id',
      'lastName',
      'role',
      'role_type',
      'sid',
      'username',
    ]);
    expect(body.access_token).toMatch(/^3_\d{13}_3$/);
    expect((await service.send('/auth/me', { token: body.access_token })).status).toBe(401);
  });
});

describe('a batch of refused calls', () => {
  it('has each header once, with the longest retry time', async () => {
    const env = { LOGIN_FAILURES_PER_MEMBER: '1' };
    await using service = await startService(createApp, { dialect, application: 'web', env });
    const calls = Array.from({ length: 4 }, () => ({ email: 'nobody@acme.test', password }));
    const response = await service.send(`/trpc/${calls.map(() => 'login.web').join(',')}?batch=1`, {
      body: Object.fromEntries(calls.entries()),
    });
    const statuses = ((await response.json()) as { error: { data: { httpStatus: number } } }[]).map(
      ({ error }) => error.data.httpStatus,
    );
    expect(statuses.toSorted((one, other) => one - other)).toEqual([401, 429, 429, 429]);
    expect(response.headers.get('retry-after')).toMatch(/^\d+$/);
    expect(response.headers.get('www-authenticate')).toBe('Bearer realm="gatehouse"');
    expect(response.headers.get('ratelimit-policy')).toBe('"login";q=1;w=900');
  });
});
