import { randomUUID } from 'node:crypto';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { readOutbox } from '@gatehouse/testkit';
import { SignJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { changeColumn } from '../test/change-column.js';
import { eventsOf } from '../test/events-of.js';
import { PASSWORD } from '../test/people-world.js';
import { DOMAIN, type SsoWorld, startSsoWorld } from '../test/sso-world.js';

const JIT = { justInTime: true, defaultRole: 3 };

const refusal = z.looseObject({
  error: z.looseObject({ code: z.string(), startUrl: z.string().optional() }).optional(),
});

async function inDomain(world: SsoWorld, memberId: number, name: string): Promise<string> {
  const email = `${name}@${DOMAIN}`;
  for (const column of ['email', 'email_key', 'sid', 'sid_key'])
    await changeColumn(world.db, { table: 'members', column, id: memberId }, email);
  return email;
}

async function colleague(world: SsoWorld, name: string, roleType = 3) {
  const member = await world.member();
  await inDomain(world, member.id, name);
  await changeAccess(world.db, { members: [member.id] }, (tx) =>
    setMembership(tx, { memberId: member.id, accountId: world.accountId, roleType, nowMs: 1 }),
  );
  return member;
}

const requireSso = (world: SsoWorld) =>
  world.call('sso.setPolicy', { required: true, exempt: [world.owner.id] }, world.as);

async function refusedBy(world: SsoWorld, path: string, body: object) {
  const response = await world.service.send(path, { body });
  const { error } = refusal.parse(await response.json());
  return [response.status, error?.code, error?.startUrl];
}

describe('an account that requires single sign-on', () => {
  it('is reached by sessions of its connection and by exempt owners, from the next request on', async () => {
    await using world = await startSsoWorld(JIT);
    const { accountId } = world;
    const mina = await colleague(world, 'mina');
    const second = await colleague(world, 'second', 1);
    const fed = await world.signIn();
    const statusOf = async (token: string) => {
      const { status, code } = await world.call('member.list', {}, { token, accountId });
      return [status, code];
    };
    expect(await statusOf(mina.token)).toEqual([200, undefined]);
    expect((await requireSso(world)).status).toBe(200);
    for (const token of [mina.token, second.token])
      expect(await statusOf(token)).toEqual([403, 'sso_required']);
    for (const token of [fed, world.owner.token]) expect(await statusOf(token)).toEqual([200, undefined]);
    // Their other accounts stay accessible, and their list leaves this one out.
    expect((await world.call('account.listMine', {}, { token: mina.token })).data).toEqual([]);
    // An exempt owner who is no longer an owner.
    await changeAccess(world.db, { members: [world.owner.id] }, (tx) =>
      setMembership(tx, { memberId: world.owner.id, accountId, roleType: 3, nowMs: 1 }),
    );
    expect(await statusOf(world.owner.token)).toEqual([403, 'sso_required']);
  });

  it('tells its programs when it becomes required, and when it no longer is', async () => {
    await using world = await startSsoWorld(JIT);
    const { accountId, as, connectionId } = world;
    const policy = (required: boolean, exempt = [world.owner.id]) =>
      world.call('sso.setPolicy', { required, exempt }, as);
    await requireSso(world);
    const second = await colleague(world, 'second', 1);
    await policy(true, [world.owner.id, second.id]);
    await policy(false);
    await requireSso(world);
    await world.call('sso.activate', { connectionId, active: false }, as);
    const required = { type: 'account.ssoRequired', data: { accountId, name: 'Acme' } };
    const ceased = { type: 'account.updated', data: { accountId, name: 'Acme', changed: ['ssoRequired'] } };
    const { auditLog } = world.db.tables;
    const lines = await world.db.select().from(auditLog);
    const ended = lines.find(({ action }) => action === 'sso.connection-deactivated');
    expect([ended?.before, ended?.after]).toEqual([
      { active: true, required: true },
      { active: false, required: false },
    ]);
    const told = await eventsOf(world, as, ['account.*']);
    expect(told.map(({ type, data }) => ({ type, data }))).toEqual([required, ceased, required, ceased]);
  });

  it('is left out of exports in a session of another sign-in', async () => {
    await using world = await startSsoWorld(JIT);
    const mina = await colleague(world, 'mina');
    await requireSso(world);
    const exported = async (token: string) => {
      const response = await world.service.send('/v1/member/exportOwn', { token });
      const { data } = z
        .object({ data: z.object({ withheldAccounts: z.array(z.int()), memberships: z.array(z.unknown()) }) })
        .parse(await response.json());
      return data;
    };
    const withheld = await exported(mina.token);
    expect(withheld.withheldAccounts).toEqual([world.accountId]);
    expect(JSON.stringify(withheld.memberships)).not.toContain('Acme');
    const exempt = await exported(world.owner.token);
    expect(exempt.withheldAccounts).toEqual([]);
    expect(JSON.stringify(exempt.memberships)).toContain('Acme');
  });

  it('ends logins, resets, registrations and mailed codes of its domain, whether an address is known or not', async () => {
    await using world = await startSsoWorld(JIT);
    await colleague(world, 'mina');
    await requireSso(world);
    const startUrl = `http://127.0.0.1:4000/sso/${world.key}/start`;
    for (const email of [`mina@${DOMAIN}`, `MINA@${DOMAIN.toUpperCase()}`, `nobody@${DOMAIN}`]) {
      const asked = [
        ['/webauthenticate', { email, password: PASSWORD }],
        ['/authenticate', { email, password: PASSWORD }],
        ['/v1/signIn/password', { email, password: PASSWORD }],
        ['/forgotPassword', { email }],
        ['/v1/signIn/requestEmail', { email }],
        ['/register', { email, password: 'Anchor-Meadow-17', username: 'somebody' }],
      ] as const;
      for (const [path, body] of asked)
        expect([path, ...(await refusedBy(world, path, body))]).toEqual([
          path,
          403,
          'sso_required',
          startUrl,
        ]);
    }
    const elsewhere = { email: `mina@sub.${DOMAIN}`, password: PASSWORD };
    expect((await refusedBy(world, '/webauthenticate', elsewhere))[1]).toBe('invalid_credentials');
  });

  it('voids links and codes that were mailed before, and second steps, except those of exempt owners and staff', async () => {
    await using world = await startSsoWorld(JIT);
    const mina = await colleague(world, 'mina');
    const stepping = await colleague(world, 'stepping');
    const ownerEmail = await inDomain(world, world.owner.id, 'olivia');
    const staff = await world.member({ isPersonnel: true });
    const staffEmail = await inDomain(world, staff.id, 'staff');
    const switched = await world.call('factor.switch', { secondFactor: true, email: true }, stepping);
    const [backupCode] = z.object({ backupCodes: z.array(z.string()) }).parse(switched.data).backupCodes;
    const mailOf = async (to: string, kind: string) => {
      const mail = (await readOutbox(world.service)).find((each) => each.to === to && each.kind === kind);
      return mail?.text ?? '';
    };
    const codeOf = async (path: string, body: object) => (await refusedBy(world, path, body))[1];
    const emails = [`mina@${DOMAIN}`, ownerEmail, staffEmail];
    const flows = new Map<string, string>();
    for (const email of emails) {
      await world.service.send('/forgotPassword', { body: { email } });
      const asked = await world.service.send('/v1/signIn/requestEmail', { body: { email } });
      const { flow } = z.object({ data: z.object({ flow: z.string() }) }).parse(await asked.json()).data;
      flows.set(email, flow);
    }
    const step = await world.service.send('/v1/signIn/password', {
      body: { email: `stepping@${DOMAIN}`, password: PASSWORD },
    });
    const { error } = refusal.parse(await step.json());
    expect(error?.code).toBe('second_factor_required');
    expect((await requireSso(world)).status).toBe(200);

    const challenge = z.looseObject({ challenge: z.string() }).parse(error).challenge;
    expect(await codeOf('/v1/signIn/step', { challenge, backupCode })).toBe('sso_required');
    const outcomes: unknown[] = [];
    for (const email of emails) {
      const [code] = /\d{4} ?\d{4}/.exec(await mailOf(email, 'signInCode')) ?? [];
      outcomes.push(await codeOf('/v1/signIn/email', { flow: flows.get(email), code }));
      const [, token] = /[?#&]token=([^\s&"]+)/.exec(await mailOf(email, 'passwordReset')) ?? [];
      const page = await world.service.send(`/reset?token=${token ?? ''}`);
      const shown = (await page.text()).includes('name="password"');
      outcomes.push(shown, await codeOf('/v1/password/reset', { token, password: 'Copper-Meadow-17' }));
    }
    const passed = [undefined, true, undefined];
    expect(outcomes).toEqual(['sso_required', false, 'sso_required', ...passed, ...passed]);
    const told = (await readOutbox(world.service)).filter(({ kind }) => kind === 'ssoBypassed');
    expect(told).toHaveLength(1);
    expect(mina.id).toBeGreaterThan(0);
  });

  it('lets exempt owners and staff who choose to sign in another way, and notifies the owners', async () => {
    await using world = await startSsoWorld(JIT);
    const email = await inDomain(world, world.owner.id, 'olivia');
    const mina = await colleague(world, 'mina');
    expect(mina.id).toBeGreaterThan(0);
    await requireSso(world);
    const login = (body: object) =>
      refusedBy(world, '/v1/signIn/password', { password: PASSWORD, withoutSso: true, ...body });
    expect(await login({ email: `mina@${DOMAIN}` })).toEqual([401, 'invalid_credentials', undefined]);
    expect(await login({ email: `nobody@${DOMAIN}` })).toEqual([401, 'invalid_credentials', undefined]);
    expect(await login({ email, password: 'Anchor-Meadow-17' })).toEqual([
      401,
      'invalid_credentials',
      undefined,
    ]);
    const bypassed = async () =>
      (await readOutbox(world.service)).filter(({ kind }) => kind === 'ssoBypassed').length;
    expect(await bypassed()).toBe(0);
    expect(await login({ email })).toEqual([200, undefined, undefined]);
    expect(await bypassed()).toBe(1);
    const staff = await world.member({ isPersonnel: true });
    expect(await login({ email: await inDomain(world, staff.id, 'staff') })).toEqual([
      200,
      undefined,
      undefined,
    ]);
  });

  it('exempts owners as long as they are owners, and can be ended when one has left', async () => {
    await using world = await startSsoWorld(JIT);
    const { accountId, as, call } = world;
    const second = await colleague(world, 'second', 1);
    await call('sso.setPolicy', { required: true, exempt: [world.owner.id, second.id] }, as);
    const body = { email: `second@${DOMAIN}`, password: PASSWORD, withoutSso: true };
    const login = async () => (await refusedBy(world, '/v1/signIn/password', body))[1];
    expect(await login()).toBeUndefined();
    await changeAccess(world.db, { members: [second.id] }, (tx) =>
      setMembership(tx, { memberId: second.id, accountId, roleType: 3, nowMs: 1 }),
    );
    expect(await login()).toBe('invalid_credentials');
    const told = (await readOutbox(world.service)).filter(({ kind }) => kind === 'ssoBypassed');
    expect(new Set(told.map(({ to }) => to)).size).toBe(told.length);
    const ended = await call('sso.setPolicy', { required: false }, as);
    expect([ended.status, ended.data]).toEqual([200, { required: false, exempt: [world.owner.id] }]);
    expect(await login()).toBeUndefined();
  });

  it('cannot be bypassed by a social profile with another address', async () => {
    await using world = await startSsoWorld(JIT);
    const mina = await colleague(world, 'mina');
    const claims = { type: 'socialLogin', userId: mina.id, provider: 'google' } as const;
    const signIn = async () => {
      const { token } = world.service.services.tokens.sealOneUse(claims, 300);
      return (await refusedBy(world, '/v1/signIn/token', { token }))[1];
    };
    expect(await signIn()).toBeUndefined();
    await requireSso(world);
    expect(await signIn()).toBe('sso_required');
  });

  it('cannot be bypassed by a login name outside its domain', async () => {
    await using world = await startSsoWorld(JIT);
    const mina = await colleague(world, 'mina');
    await inDomain(world, world.owner.id, 'olivia');
    const names = [
      [mina.id, 'mina.login'],
      [world.owner.id, 'olivia@elsewhere.example'],
    ] as const;
    for (const [id, name] of names)
      for (const column of ['sid', 'sid_key'])
        await changeColumn(world.db, { table: 'members', column, id }, name);
    const login = async (body: object, path = '/v1/signIn/password') =>
      (await refusedBy(world, path, { password: PASSWORD, ...body }))[1];
    expect(await login({ email: 'mina.login' })).toBeUndefined();
    await requireSso(world);
    for (const path of ['/v1/signIn/password', '/webauthenticate', '/authenticate'])
      expect([path, await login({ email: 'mina.login' }, path)]).toEqual([path, 'sso_required']);
    expect(await login({ email: 'mina.login', withoutSso: true })).toBe('invalid_credentials');
    expect(await login({ email: 'mina.login', password: 'Anchor-Meadow-17' })).toBe('invalid_credentials');
    expect(await login({ email: 'nobody.login' })).toBe('invalid_credentials');
    expect(await login({ email: 'olivia@elsewhere.example' })).toBe('sso_required');
    expect(await login({ email: 'olivia@elsewhere.example', withoutSso: true })).toBeUndefined();
    expect((await readOutbox(world.service)).filter(({ kind }) => kind === 'ssoBypassed')).toHaveLength(1);
  });

  it('has one to three owners who can sign in otherwise, one of them the caller', async () => {
    await using world = await startSsoWorld(JIT);
    const { as, call } = world;
    const mina = await colleague(world, 'mina');
    const second = await colleague(world, 'second', 1);
    const set = async (exempt: number[]) =>
      (await call('sso.setPolicy', { required: true, exempt }, as)).code;
    expect(await set([])).toBe('invalid_input');
    expect(await set([mina.id])).toBe('invalid_input');
    expect(await set([1, 2, 3, 4])).toBe('invalid_input');
    expect(await set([second.id])).toBe('policy_excludes_you');
    await changeColumn(world.db, { table: 'members', column: 'has_password', id: second.id }, 0);
    expect(await set([world.owner.id, second.id])).toBe('invalid_input');
    expect(await set([world.owner.id])).toBeUndefined();
    expect((await call('sso.list', {}, as)).data).toMatchObject({ required: true, exempt: [world.owner.id] });
    await call('sso.activate', { connectionId: world.connectionId, active: false }, as);
    expect((await call('sso.list', {}, as)).data).toMatchObject({ required: false });
  });

  it('shows the owners who may be exempt only to those who set it up', async () => {
    await using world = await startSsoWorld();
    const { accountId, as, call, db, owner } = world;
    const { memberships } = db.tables;
    const at = { accountId, createdAtMs: 1, updatedAtMs: 1 };
    const [second, manager, gone] = [await world.member(), await world.member(), await world.member()];
    await db.insert(memberships, { ...at, memberId: second.id, roleType: 1 });
    await db.insert(memberships, { ...at, memberId: manager.id, roleType: 2 });
    await db.insert(memberships, { ...at, memberId: gone.id, roleType: 1, isDeleted: true });
    const owners = [owner, second].map(({ id }) => ({ id, firstName: 'Test', lastName: 'Member' }));
    expect((await call('sso.list', {}, as)).data).toMatchObject({ owners });
  });

  it('is found only by the domain of an address, 60 times a minute', async () => {
    await using world = await startSsoWorld(JIT);
    const discover = (email: string) => world.call('sso.discover', { email }, {});
    const found = { key: world.key, name: 'Acme', required: false };
    expect((await discover(`nobody@${DOMAIN}`)).data).toEqual(found);
    expect((await discover('nobody@other.example')).data).toBeNull();
    expect((await discover(`a@sub.${DOMAIN}`)).data).toBeNull();
    await requireSso(world);
    expect((await discover(`nobody@${DOMAIN}`)).data).toEqual({ ...found, required: true });
    for (let asked = 4; asked < 60; asked += 1) await discover('a@other.example');
    expect((await discover('a@other.example')).code).toBe('rate_limited');
  });
});

describe('a session that an identity provider began', () => {
  it("ends once with a logout token, and its own end leads to the provider's", async () => {
    await using world = await startSsoWorld(JIT);
    const { idp } = world;
    const kid = idp.provider.issuer.keys.get()?.kid;
    const logoutToken = async (claims: object, more: object = {}) => {
      const token = await idp.provider.issuer.buildToken({
        expiresIn: 120,
        ...(kid === undefined ? {} : { kid }),
        scopesOrTransform: (_header, payload) => {
          for (const name of Object.keys(payload)) Reflect.deleteProperty(payload, name);
          const nowSeconds = Math.floor(Date.now() / 1000);
          Object.assign(payload, {
            iss: idp.issuer,
            aud: 'gatehouse',
            iat: nowSeconds,
            exp: nowSeconds + 120,
            jti: randomUUID(),
            events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
            ...claims,
            ...more,
          });
        },
      });
      return new URLSearchParams({ logout_token: token }).toString();
    };
    const send = async (body: string) =>
      (
        await fetch(`${world.service.url}/sso/oidc/${world.key}/backchannel`, {
          method: 'POST',
          headers: { 'content-type': 'application/x-www-form-urlencoded' },
          body,
        })
      ).status;
    const isOpen = async (token: string) => (await world.service.send('/auth/me', { token })).status;
    const claims = { sub: 'ada', email: `ada@${DOMAIN}`, sid: 'one' };
    const [one, other] = [await world.signIn(claims), await world.signIn({ ...claims, sid: 'two' })];
    idp.told.claims = {};
    const forged = await new SignJWT({ sub: 'ada' })
      .setProtectedHeader({ alg: 'HS256' })
      .sign(new TextEncoder().encode('a'.repeat(32)));
    const wrong = [
      new URLSearchParams({ logout_token: forged }).toString(),
      await logoutToken({ sub: 'ada' }, { nonce: 'a' }),
      await logoutToken({ sub: 'ada' }, { events: {} }),
      await logoutToken({ sub: 'ada' }, { aud: 'other' }),
      await logoutToken({ sub: 'ada' }, { iss: 'https://other.example' }),
      await logoutToken({ sub: 'ada' }, { exp: 1 }),
      await logoutToken({}),
      '',
    ];
    for (const body of wrong) expect(await send(body)).toBe(400);
    expect([await isOpen(one), await isOpen(other)]).toEqual([200, 200]);
    const first = await logoutToken({ sub: 'ada', sid: 'one' });
    expect([await send(first), await send(first)]).toEqual([200, 400]);
    expect([await isOpen(one), await isOpen(other)]).toEqual([401, 200]);
    expect(await send(await logoutToken({ sub: 'ada' }))).toBe(200);
    expect(await isOpen(other)).toBe(401);

    const third = await world.signIn(claims);
    const ended = await world.service.send('/auth/logout', { token: third, body: {} });
    const { logoutUrl } = z.looseObject({ logoutUrl: z.string() }).parse(await ended.json());
    expect(logoutUrl).toContain(`${idp.issuer}/endsession`);
    expect(new URL(logoutUrl).searchParams.get('client_id')).toBe('gatehouse');
  });
});

describe('the test of a company connection', () => {
  it('shows its owner the claims and each result, creates nobody, and is valid only for the tested settings', async () => {
    await using world = await startSsoWorld({
      ...JIT,
      roleMap: [{ claim: 'groups', value: 'it', roleType: 2 }],
    });
    const { as, idp } = world;
    idp.told.claims = { sub: 'ada', email: `ada@${DOMAIN}`, groups: ['it'] };
    const before = await world.db.select().from(world.db.tables.members);
    const { testId, data } = await world.test();
    expect(data).toMatchObject({
      state: 'passed',
      claims: { sub: ['ada'], email: [`ada@${DOMAIN}`], groups: ['it'] },
      mapping: { subject: 'ada', email: `ada@${DOMAIN}`, roleType: 2, person: 'new' },
    });
    expect(await world.db.select().from(world.db.tables.members)).toHaveLength(before.length);
    const other = await world.account();
    const asOther = { token: other.owner.token, accountId: other.id };
    expect((await world.call('sso.testResult', { testId }, asOther)).code).toBe('not_found');
    world.wait(15 * 60_000 + 1_000);
    expect((await world.call('sso.testResult', { testId }, as)).code).toBe('not_found');
  });

  it('fails with the check that failed, and is not valid for settings that were changed meanwhile', async () => {
    await using world = await startSsoWorld(JIT);
    const { as, idp, connectionId, call } = world;
    await world.save({ scopes: ['email'] });
    idp.told.change = (payload) => void Object.assign(payload, { aud: 'other' });
    const { data } = await world.test();
    expect(data).toMatchObject({ state: 'failed', mapping: null });
    expect(JSON.stringify(data)).toContain('"check":"audience","passed":false');
    expect((await call('sso.activate', { connectionId }, as)).code).toBe('not_tested');
    idp.told.change = undefined;
    const begun = z.object({ url: z.string() }).parse((await call('sso.test', { connectionId }, as)).data);
    const browser = world.browser();
    const { location } = await browser.open(begun.url);
    await world.save({ name: 'Acme', scopes: ['profile'] });
    const callback = (await fetch(location, { redirect: 'manual' })).headers.get('location') ?? '';
    expect(new URL((await browser.open(callback)).location).search).toBe('?error=invalid_state');
    expect((await call('sso.activate', { connectionId }, as)).code).toBe('not_tested');
  });
});
