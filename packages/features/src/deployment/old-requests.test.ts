import { createApp as createAdmin } from '@gatehouse/api-admin/app';
import { createApp as createMain } from '@gatehouse/api-main/app';
import { DEMONSTRATION_PASSWORD as PASSWORD } from '@gatehouse/runtime/config/secrets';
import { type RunningService, signIn, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { partnerClient } from '../test/partner-client.js';
import { type OldAnswer, sendOld } from '../test/send-old.js';

const dialect = inject('dialect');
type Env = Readonly<Record<string, string>>;
const startMain = (env: Env = {}) => startService(createMain, { dialect, application: 'web', env });
const startAdmin = (env: Env = {}) => startService(createAdmin, { dialect, application: 'admin', env });

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };

const root = (service: RunningService) => signIn(service, 'root@gatehouse.test');

function namesIn({ body }: OldAnswer): unknown[] {
  return (body['data'] as Record<string, unknown>[]).map((row) => row['name'] ?? row['email'] ?? row['text']);
}

describe('a GET with a JSON body', () => {
  it.each([
    ['/getAccountNameList', { searchUser: 'birch' }, ['Birch & Co']],
    ['/searchAccountUser', { search: 'birch' }, ['Birch & Co']],
    ['/searchUser', { search: 'owner@birch.test' }, ['owner@birch.test']],
    ['/searchAccountManagers', { search: 'nobody of this name' }, []],
    ['/searchAffiliatePeople', { search: 'nobody of this name' }, []],
    ['/getAllOwnerList', { search: 'owner@cedar.test' }, ['owner@cedar.test']],
    ['/v1/member/search', { search: 'owner@cedar.test' }, ['owner@cedar.test']],
  ])('finds at %s what its body names, and not every member', async (path, body, found) => {
    await using service = await startAdmin();
    const { token } = await root(service);
    const headers = { token, 'content-type': 'application/json' };
    const answer = await sendOld(service, 'GET', path, { headers, body: JSON.stringify(body) });
    expect([answer.status, namesIn(answer)]).toEqual([200, found]);
  });

  it('reads the messages of the conversation that its body names', async () => {
    await using service = await startMain();
    const { token } = await signIn(service, 'owner@acme.test');
    const headers = { token, accountid: '1', 'content-type': 'application/json' };
    const body = JSON.stringify({ memberId: 3, conversationId: 1 });
    const answer = await sendOld(service, 'GET', '/getMemberschatMessages', { headers, body });
    const asked = await service.send('/getMemberschatMessages?conversationId=1', { token, accountId: 1 });
    expect(answer.status).toBe(200);
    expect(answer.body['data']).toEqual(((await asked.json()) as OldAnswer['body'])['data']);
  });

  it('is refused when it cannot be parsed, or names a field that the query names too', async () => {
    await using service = await startAdmin();
    const { token } = await root(service);
    const ask = async (path: string, type: string, body: string) =>
      (await sendOld(service, 'GET', path, { headers: { token, 'content-type': type }, body })).status;
    expect(await ask('/searchUser', 'text/plain', 'birch')).toBe(415);
    expect(await ask('/searchUser', 'application/json', '{"search":')).toBe(400);
    expect(await ask('/searchUser?search=a', 'application/json', '{"search":"b"}')).toBe(400);
    expect(await ask('/searchUser?limit=1', 'application/json', '{"search":"birch"}')).toBe(200);
    const stranger = { headers: { 'content-type': 'application/json' }, body: '{"search":' };
    expect((await sendOld(service, 'GET', '/searchUser', stranger)).status).toBe(401);
  });
});

describe('a form request', () => {
  it('is parsed by the types of the fields: digits, words for flags, and repeated names', async () => {
    await using service = await startAdmin();
    const { token } = await root(service);
    const post = (path: string, body: string) =>
      sendOld(service, 'POST', path, { headers: { ...FORM, token }, body });
    const grantsAfter = async (fields: string) => {
      const { body } = await post('/addOrUpdatePersonnel', `personnelId=2&role_type=6&${fields}`);
      return (body['data'] as { grants: { accountId: number }[] }).grants.map(({ accountId }) => accountId);
    };
    expect(await grantsAfter('active=true&accountIds=1&accountIds=2')).toEqual([1, 2]);
    expect(await grantsAfter('active=1&accountIds=2&email=&firstName=')).toEqual([2]);
    expect(await grantsAfter('accountIds%5B%5D=1&accountIds%5B%5D=2')).toEqual([1, 2]);
    expect(await grantsAfter('accountIds[]=3')).toEqual([3]);
    expect(await grantsAfter('accountIds[0]=1&accountIds[1]=2')).toEqual([1, 2]);
    const found = await post('/searchUser', 'search=owner%40birch.test&limit=5');
    expect(namesIn(found)).toEqual(['owner@birch.test']);
    expect((await post('/deleteUser', 'userId=nine')).status).toBe(400);
    expect((await post('/searchUser', 'search=a&search=b')).status).toBe(400);
    expect((await post('/v1/member/search', 'search=a')).status).toBe(415);
  });

  it('registers, requests a reset and signs in at a partner, at the paths that took only JSON', async () => {
    await using service = await startMain();
    const post = (path: string, body: string, headers = {}) =>
      sendOld(service, 'POST', path, { headers: { ...FORM, ...headers }, body });
    const person = `username=4711-ada&password=${PASSWORD}-form&email=ada%40example.org&lastName=`;
    expect((await post('/register', person)).body).toMatchObject({ status: true });
    expect((await post('/forgotPassword', 'email=ada%40example.org')).status).toBe(200);
    const { token } = await signIn(service, 'owner@acme.test');
    const signedIn = await post('/partnerAuth/partnerSignIn', 'partner=acme-partner&user_data[plan]=pro', {
      token,
    });
    expect(signedIn.body).toMatchObject({ status: true, redirectUrl: expect.any(String) as string });
    const twice = await post(
      '/partnerAuth/partnerSignIn',
      'partner=acme-partner&user_data=1&user_data[a]=b',
      { token },
    );
    expect(twice.status).toBe(400);
  });

  it('from another site is refused, with a cookie and without', async () => {
    await using service = await startMain({ CORS_ORIGINS: 'https://app.example.org' });
    const from = (origin: string, headers = {}) =>
      sendOld(service, 'POST', '/forgotPassword', {
        headers: { ...FORM, origin, ...headers },
        body: 'email=owner%40acme.test',
      });
    for (const origin of ['https://evil.example', 'null', 'https://app.example.org.evil.example']) {
      const refused = await from(origin);
      expect([origin, refused.status, refused.body['error']]).toEqual([
        origin,
        403,
        { code: 'origin_refused' },
      ]);
    }
    expect((await from('https://app.example.org')).status).toBe(200);
    const { token } = await signIn(service, 'owner@acme.test');
    const cookie = `${service.services.cookies.name}=${token}`;
    for (const path of ['/auth/logout', '/auth/resendConfirmation', '/RemoveSubject']) {
      const headers = { ...FORM, cookie, origin: 'https://app.example.org' };
      const refused = await sendOld(service, 'POST', path, { headers, body: 'subjectId=1' });
      expect([path, refused.status, refused.body['error']]).toEqual([path, 403, { code: 'origin_refused' }]);
    }
    expect((await service.send('/auth/me', { token })).status).toBe(200);
  });
});

describe('an empty field of an older client', () => {
  it.each([
    { password: '' },
    { password: null, email: '', sid: null },
    { tempLogin: 1 },
    { tempLogin: '1', social: 0 },
  ])('does not keep out a partner’s member: %o', async (fields) => {
    await using service = await startMain();
    const partner = await partnerClient(service);
    await partner.register({ email: 'ada@example.org' });
    const token = await partner.signOn({ email: 'ada@example.org' });
    const body = { tempLogin: true, token, ...fields };
    expect((await service.send('/webauthenticate', { body })).status).toBe(200);
  });

  it('is refused as a password', async () => {
    await using service = await startMain();
    for (const password of ['', null]) {
      const body = { email: 'owner@acme.test', password };
      expect((await service.send('/webauthenticate', { body })).status).toBe(400);
      expect((await service.send('/authenticate', { body })).status).toBe(400);
    }
  });

  it('does not change a member', async () => {
    await using service = await startAdmin();
    const { token } = await root(service);
    for (const empty of ['', null]) {
      const body = { id: '7', fName: 'Mia', email: empty, lName: empty, role_type: empty, role: empty };
      const answer = await service.send('/updateUser', { token, body });
      expect([answer.status, await answer.json()]).toEqual([
        200,
        expect.objectContaining({
          data: expect.objectContaining({
            firstName: 'Mia',
            email: 'member@acme.test',
            role_type: 5,
          }) as unknown,
        }),
      ]);
    }
  });

  it('names no account in the Accountid header', async () => {
    await using service = await startMain();
    const { token } = await signIn(service, 'owner@acme.test');
    for (const accountid of ['', 'null', 'undefined']) {
      const answer = await sendOld(service, 'GET', '/auth/me', { headers: { token, accountid } });
      expect([accountid, answer.status, answer.body['accountId'] ?? null]).toEqual([accountid, 200, null]);
      const list = await sendOld(service, 'GET', '/getAllMemberslist', { headers: { token, accountid } });
      expect([accountid, list.body['error']]).toEqual([accountid, { code: 'account_required' }]);
    }
    for (const accountid of ['0', '1,2', 'NaN', '1 ', '-1', '1.0']) {
      const answer = await service.send('/auth/me', { token, headers: { accountid: `${accountid}x` } });
      expect([accountid, answer.status]).toEqual([accountid, 400]);
    }
  });

  it('is accepted as the name of a member whom a partner registers', async () => {
    await using service = await startMain();
    const partner = await partnerClient(service);
    for (const [email, names] of [
      ['ada@example.org', {}],
      ['eva@example.org', { firstName: '', lastName: null, accountName: '', username: '' }],
    ] as const) {
      const answer = await service.send('/partnerAuth/registerUser', {
        bearer: partner.token,
        body: { email, ...names },
      });
      expect(answer.status).toBe(200);
    }
  });
});

it('the Apptype header is read in base64 and base64url, padded or not', async () => {
  await using service = await startMain({ APPTYPE_MAP: 'kiosk=designer,~?>~=designer' });
  const as = async (apptype: string) => {
    const body = { email: 'owner@acme.test', password: PASSWORD };
    return (await service.send('/webauthenticate', { body, headers: { apptype } })).status;
  };
  expect(await as('ZGVzaWduZXI=')).toBe(403);
  expect(await as('ZGVzaWduZXI')).toBe(403);
  expect(await as('fj8+fg==')).toBe(403);
  expect(await as('fj8-fg')).toBe(403);
  expect(await as('d2Vi')).toBe(200);
  for (const apptype of ['d2ViA', 'd2V', 'd2Vi=', 'd2 Vi', 'web!'])
    expect([apptype, await as(apptype)]).toEqual([apptype, apptype === 'd2V' ? 200 : 400]);
});

describe('TOKEN_HEADER_KEY=Authorization', () => {
  it('makes the service accept a session token only there, and a bearer with its scheme', async () => {
    await using service = await startMain({ TOKEN_HEADER_KEY: 'Authorization' });
    const { token } = await signIn(service, 'owner@acme.test');
    const login = await service.send('/authenticate', {
      body: { email: 'owner@acme.test', password: PASSWORD },
    });
    const { token: bearer } = (await login.json()) as { token: string };
    const as = async (authorization: string, path = '/auth/me') =>
      (await service.send(path, { headers: { authorization } })).status;
    expect(await as(token)).toBe(200);
    expect(await as(`Bearer ${bearer}`)).toBe(200);
    expect(await as(`Bearer ${bearer}`, '/')).toBe(200);
    expect(await as(bearer)).toBe(401);
    expect(await as(`Bearer ${token}`)).toBe(401);
    expect(await as(token, '/')).toBe(403);
    expect(await as(`Basic ${token}`)).toBe(401);
    const partner = await partnerClient(service);
    expect(await partner.register({ email: 'ada@example.org' })).toMatchObject({
      userId: expect.any(Number) as number,
    });
    expect(
      (await sendOld(service, 'POST', '/auth/logout', { headers: { authorization: token } })).status,
    ).toBe(200);
    expect(await as(token)).toBe(401);
  });
});
