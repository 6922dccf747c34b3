import { setAccountPolicy } from '@gatehouse/db/queries/account-policy';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { setSsoDomainVerified } from '@gatehouse/db/queries/sso-domains';
import type { TestMember, TestMemberOptions } from '@gatehouse/testkit';
import { SignJWT, UnsecuredJWT } from 'jose';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { changeColumn } from '../test/change-column.js';
import { DOMAIN, type SsoWorld, startIdentityProvider, startSsoWorld } from '../test/sso-world.js';

const JIT = { justInTime: true };
const eve = { sub: 'eve', email: 'eve@other.example' };

async function whoIs(world: SsoWorld, token: string, accountId?: number) {
  const response = await world.service.send('/auth/me', {
    token,
    ...(accountId === undefined ? {} : { accountId }),
  });
  return { status: response.status, text: await response.text() };
}

async function place(world: SsoWorld, memberId: number) {
  const { memberships } = world.db.tables;
  const rows = await world.db.select().from(memberships);
  return rows.find((row) => row.memberId === memberId && row.accountId === world.accountId);
}

const insertPlace = (world: SsoWorld, memberId: number, roleType: number) =>
  changeAccess(world.db, { members: [memberId] }, (tx) =>
    setMembership(tx, { memberId, accountId: world.accountId, roleType, nowMs: 1 }),
  );

/** A member with an address in the domain of the account. */
async function named(world: SsoWorld, name: string, options: TestMemberOptions = {}): Promise<TestMember> {
  const member = await world.member(options);
  for (const column of ['email', 'email_key', 'sid', 'sid_key'])
    await changeColumn(world.db, { table: 'members', column, id: member.id }, `${name}@${DOMAIN}`);
  return member;
}

const memberOf = async (world: SsoWorld, email: string) => {
  const { members } = world.db.tables;
  const rows = await world.db.select().from(members);
  return rows.find((row) => row.email === email);
};

describe("a sign-in by an account's identity provider", () => {
  it('creates a member whom the account manages, with the role of the highest rule, once', async () => {
    await using world = await startSsoWorld({
      ...JIT,
      roleMap: [
        { claim: 'groups', value: 'staff', roleType: 3 },
        { claim: 'groups', value: 'leads', roleType: 2 },
      ],
    });
    const claims = { sub: 'ada', email: `Ada@${DOMAIN}`, given_name: 'Ada', groups: ['staff', 'leads'] };
    const token = await world.signIn(claims);
    const member = await memberOf(world, `ada@${DOMAIN}`);
    expect(member).toMatchObject({
      managedByAccountId: world.accountId,
      hasPassword: false,
      firstName: 'Ada',
    });
    expect(await place(world, member?.id ?? 0)).toMatchObject({ roleType: 2, active: true });
    expect((await whoIs(world, token, world.accountId)).status).toBe(200);
    const sessions = await world.db.select().from(world.db.tables.sessions);
    expect(sessions.at(-1)).toMatchObject({ amr: 'fed', level: 1 });

    // Known by the subject, whatever the address says now; the role follows.
    await world.signIn({ sub: 'ada', email: 'ada@elsewhere.example', groups: ['staff'] });
    expect(await place(world, member?.id ?? 0)).toMatchObject({ roleType: 3 });
    await world.signIn({ sub: 'ada', groups: [] });
    expect(await place(world, member?.id ?? 0)).toMatchObject({ roleType: 5 });
  });

  it('counts once against the address that it comes from', async () => {
    // One sign-in is the test of the connection.
    await using world = await startSsoWorld(JIT, { SOCIAL_VISITS_PER_ADDRESS: '3' });
    await world.signIn();
    await world.signIn();
    expect((await world.visit()).get('error')).toBe('rate_limited');
  });

  it('gives a token for one use, only to the browser that began, and for one answer', async () => {
    await using world = await startSsoWorld(JIT);
    const browser = world.browser();
    const { location } = await browser.open(`/sso/${world.key}/start`);
    const consent = await fetch(location, { redirect: 'manual' });
    const callback = consent.headers.get('location') ?? '';
    const foreign = await world.browser().open(callback);
    expect(new URL(foreign.location).search).toBe('?error=invalid_state');
    const cookies = new Map(browser.cookies);
    const first = new URL((await browser.open(callback)).location).searchParams;
    for (const [name, value] of cookies) browser.cookies.set(name, value);
    const again = new URL((await browser.open(callback)).location);
    expect(again.search).toBe('?error=invalid_state');

    const user = first.get('user');
    const answers = await Promise.all([world.redeem(user), world.redeem(user)]);
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 403]);
    const late = (await world.visit()).get('user');
    world.wait(61_000);
    expect((await world.redeem(late)).code).toBe('invalid_token');
  });

  it('is refused with an answer that is not for this flow, client or issuer, or not signed by it', async () => {
    await using world = await startSsoWorld(JIT);
    await using other = await startIdentityProvider();
    const { told, provider } = world.idp;
    const errors: [string, string | null][] = [];
    const attempt = async (name: string, how: Partial<typeof told>) => {
      Object.assign(told, { change: undefined, replace: undefined, ...how });
      const end = await world.visit();
      errors.push([name, end.get('error') ?? 'signed in']);
    };
    const payload = { ...told.claims, iss: world.idp.issuer, aud: 'gatehouse' };
    await attempt('another audience', { change: (token) => void Object.assign(token, { aud: 'other' }) });
    await attempt('two audiences', {
      change: (token) => void Object.assign(token, { aud: ['gatehouse', 'other'] }),
    });
    await attempt('another party', { change: (token) => void Object.assign(token, { azp: 'other' }) });
    await attempt('another issuer', { change: (token) => void Object.assign(token, { iss: other.issuer }) });
    await attempt('another nonce', {
      change: (token) => void Object.assign(token, { nonce: 'a'.repeat(64) }),
    });
    await attempt('no nonce', { change: (token) => void Reflect.deleteProperty(token, 'nonce') });
    await attempt('no subject', { change: (token) => void Reflect.deleteProperty(token, 'sub') });
    await attempt('expired', { change: (token) => void Object.assign(token, { exp: 1 }) });
    await attempt('alg none', {
      replace: (body) => void Object.assign(body, { id_token: new UnsecuredJWT(payload).encode() }),
    });
    const jwk = provider.issuer.keys.toJSON()[0];
    const secret = new TextEncoder().encode(JSON.stringify(jwk));
    const forged = await new SignJWT(payload)
      .setProtectedHeader({ alg: 'HS256' })
      .setExpirationTime('1h')
      .sign(secret);
    await attempt('signed with what is public', {
      replace: (body) => void Object.assign(body, { id_token: forged }),
    });
    const foreign = await other.provider.issuer.buildToken({ expiresIn: 3600 });
    await attempt('the token of another', {
      replace: (body) => void Object.assign(body, { id_token: foreign }),
    });
    await attempt('no token', { replace: (body) => void Reflect.deleteProperty(body, 'id_token') });
    expect(errors.filter(([, error]) => error !== 'provider_failed')).toEqual([]);
    expect(errors).toHaveLength(12);
    expect(await memberOf(world, `ada@${DOMAIN}`)).toBeUndefined();
    await attempt('as it is', {});
    expect(errors.at(-1)).toEqual(['as it is', 'signed in']);
  });

  it('keeps the answers of two connections apart', async () => {
    await using world = await startSsoWorld(JIT);
    const browser = world.browser();
    const { location } = await browser.open(`/sso/${world.key}/start`);
    const made = await world.call(
      'sso.saveOidc',
      { name: 'Other', issuer: world.idp.issuer, clientId: 'gatehouse', clientSecret: 'other' },
      world.as,
    );
    const { key } = z.looseObject({ key: z.string() }).parse(made.data);
    const callback = new URL((await fetch(location, { redirect: 'manual' })).headers.get('location') ?? '');
    const moved = callback.href.replace(world.key, key);
    expect(new URL((await browser.open(moved)).location).search).toBe('?error=invalid_state');
    // RFC 9207: an answer that names another issuer.
    callback.searchParams.set('iss', 'https://other.example');
    expect(new URL((await browser.open(callback.href)).location).search).toBe('?error=provider_failed');
  });

  it('joins the member of an address in a verified domain, and nobody else', async () => {
    await using world = await startSsoWorld();
    const { visit, idp } = world;
    const ada = await named(world, 'ada');
    const errorFor = async (claims: Record<string, unknown>) => {
      idp.told.claims = claims;
      return (await visit()).get('error');
    };
    // In no account yet, and the connection makes nobody a member.
    expect(await errorFor({ sub: 'ada', email: `ada@${DOMAIN}` })).toBe('account_forbidden');
    await insertPlace(world, ada.id, 3);
    expect(await errorFor({ sub: 'ada', email: `ada@${DOMAIN}`, email_verified: false })).toBe(
      'account_forbidden',
    );
    expect(await errorFor({ sub: 'ada', email: `ada@sub.${DOMAIN}` })).toBe('account_forbidden');
    expect(await errorFor({ sub: 'ada', email: 'ada@аcme.example' })).toBe('account_forbidden');
    expect(await errorFor({ sub: 'ada', email: `ａda@${DOMAIN}` })).toBe('account_forbidden');
    expect(await errorFor({ sub: 'ada' })).toBe('account_forbidden');
    expect(await errorFor(eve)).toBe('account_forbidden');
    expect(await errorFor({ sub: 'bob', email: `bob@${DOMAIN}` })).toBe('account_forbidden');
    const token = await world.signIn({ sub: 'ada', email: `ada@${DOMAIN}` });
    expect((await world.call('member.list', {}, { token, accountId: world.accountId })).status).toBe(200);
  });

  it('recognizes an international domain in either spelling, by which the account verifies it and the provider names it', async () => {
    await using world = await startSsoWorld(JIT);
    const { accountId, call, as } = world;
    const domains = ['Bücher.example', 'XN--STRAE-OQA.example'];
    for (const domain of domains) {
      const { data } = await call('sso.addDomain', { domain }, as);
      const { id, domain: ascii } = z.looseObject({ id: z.int(), domain: z.string() }).parse(data);
      await changeAccess(world.db, {}, (tx) =>
        setSsoDomainVerified(tx, {
          id,
          domain: ascii,
          nowMs: Date.now(),
          checkDueAtMs: Date.now() + 86_400_000,
        }),
      );
    }
    const spellings = ['bücher.example', 'xn--bcher-kva.example', 'straße.example', 'xn--strae-oqa.example'];
    for (const [at, domain] of spellings.entries()) {
      await world.signIn({ sub: `ada${at}`, email: `Ada@${domain}` });
      expect((await call('sso.discover', { email: `Ada@${domain}` }, {})).data).toMatchObject({
        key: world.key,
      });
    }
    const { members, ssoSubjects } = world.db.tables;
    const rows = await world.db.select().from(members);
    const made = rows.filter(({ managedByAccountId }) => managedByAccountId === accountId);
    expect(made.map(({ email }) => email)).toEqual([
      'ada@xn--bcher-kva.example',
      'ada@xn--strae-oqa.example',
    ]);
    expect((await world.db.select().from(ssoSubjects)).map(({ memberId }) => memberId)).toEqual(
      made.flatMap(({ id }) => [id, id]),
    );
  });

  it('requires an address that the provider does not call unverified', async () => {
    await using world = await startSsoWorld(JIT);
    const endOf = async (verified: object, name: string) => {
      world.idp.told.claims = { sub: name, email: `${name}@${DOMAIN}`, ...verified };
      return (await world.visit()).get('error');
    };
    for (const no of [false, 'false', 'False', '0', 'no', 0, 1, null, 'yes', {}])
      expect([no, await endOf({ email_verified: no }, 'eve')]).toEqual([no, 'account_forbidden']);
    const yes = [{}, { email_verified: true }, { email_verified: 'True' }];
    for (const [at, verified] of yes.entries()) expect(await endOf(verified, `good${at}`)).toBeNull();
  });

  it('finds no role by a claim that was not sent, whatever its name', async () => {
    const roleMap = [{ claim: 'constructor', value: 'x', roleType: 2 }];
    await using world = await startSsoWorld({ ...JIT, roleMap });
    expect((await world.visit()).get('error')).toBeNull();
  });

  it('never signs in staff, banned or deleted people, or those whom the account removed or suspended', async () => {
    await using world = await startSsoWorld(JIT);
    const { db, visit, idp } = world;
    const { memberships } = db.tables;
    await named(world, 'staff', { isPersonnel: true });
    const gone = await named(world, 'gone');
    const out = await named(world, 'out');
    const off = await named(world, 'off');
    const at = { accountId: world.accountId, roleType: 3, createdAtMs: 1, updatedAtMs: 1 };
    await db.insert(memberships, { ...at, memberId: out.id, isDeleted: true });
    await db.insert(memberships, { ...at, memberId: off.id, active: false });
    await changeColumn(db, { table: 'members', column: 'is_deleted', id: gone.id }, 1);
    for (const name of ['staff', 'gone', 'out', 'off']) {
      idp.told.claims = { sub: name, email: `${name}@${DOMAIN}` };
      expect([name, (await visit()).get('error')]).toEqual([name, 'account_forbidden']);
    }

    // Between the callback and the front end.
    idp.told.claims = { sub: 'zoe', email: `zoe@${DOMAIN}` };
    const user = (await visit()).get('user');
    const zoe = await memberOf(world, `zoe@${DOMAIN}`);
    await changeColumn(db, { table: 'members', column: 'is_personnel', id: zoe?.id ?? 0 }, 1);
    const promoted = await world.redeem(user);
    expect(promoted.status).toBe(403);
  });

  it('reaches only its account and is not in person, until the member agrees', async () => {
    await using world = await startSsoWorld();
    const ada = await named(world, 'ada');
    await insertPlace(world, ada.id, 3);
    const own = await world.account();
    const { memberships } = world.db.tables;
    await world.db.insert(memberships, {
      memberId: ada.id,
      accountId: own.id,
      roleType: 1,
      createdAtMs: 1,
      updatedAtMs: 1,
    });
    const token = await world.signIn({ sub: 'ada', email: `ada@${DOMAIN}` });
    const statusIn = async (accountId: number) =>
      (await world.call('member.list', {}, { token, accountId })).status;
    expect([await statusIn(world.accountId), await statusIn(own.id)]).toEqual([200, 403]);
    expect((await world.call('sso.consent', { accountId: world.accountId }, { token })).code).toBe(
      'permission_denied',
    );
    const consent = await world.call('sso.consent', { accountId: world.accountId }, { token: ada.token });
    expect(consent.status).toBe(200);
    expect([await statusIn(world.accountId), await statusIn(own.id)]).toEqual([200, 200]);
    // Another subject of the same member, such as of a provider that the account turns to later.
    const later = await world.signIn({ sub: 'later', email: `ada@${DOMAIN}` });
    const statusOf = async (accountId: number) =>
      (await world.call('member.list', {}, { token: later, accountId })).status;
    expect([await statusOf(world.accountId), await statusOf(own.id)]).toEqual([200, 403]);
    expect(await statusIn(own.id)).toBe(200);
    const withdrawn = { accountId: world.accountId, consent: false };
    await world.call('sso.consent', withdrawn, { token: ada.token });
    expect(await statusIn(own.id)).toBe(403);
  });

  it('ends by the next request once its connection is switched off or removed, and does not come back', async () => {
    await using world = await startSsoWorld(JIT);
    const { connectionId, as, accountId } = world;
    const token = await world.signIn();
    const pending = (await world.visit()).get('user');
    const open = () => whoIs(world, token, accountId);
    expect((await open()).status).toBe(200);
    await world.call('sso.activate', { connectionId, active: false }, as);
    expect((await open()).status).toBe(401);
    expect((await world.visit()).get('error')).toBe('not_found');
    expect((await world.call('sso.activate', { connectionId }, as)).status).toBe(200);
    expect((await open()).status).toBe(401);
    expect((await world.redeem(pending)).code).toBe('invalid_token');
    const second = await world.signIn();
    const browser = world.browser();
    const { location } = await browser.open(`/sso/${world.key}/start`);
    await world.call('sso.remove', { connectionId }, as);
    expect((await whoIs(world, second, accountId)).status).toBe(401);
    const callback = (await fetch(location, { redirect: 'manual' })).headers.get('location') ?? '';
    expect(new URL((await browser.open(callback)).location).search).toBe('?error=not_found');
  });

  it('lasts as long as the connection says, and counts as its level only in the account', async () => {
    await using world = await startSsoWorld({ ...JIT, sessionHours: 2, idpLevel: 2, defaultRole: 3 });
    const token = await world.signIn();
    const member = await memberOf(world, `ada@${DOMAIN}`);
    const other = await world.account();
    await world.db.insert(world.db.tables.memberships, {
      memberId: member?.id ?? 0,
      accountId: other.id,
      roleType: 3,
      createdAtMs: 1,
      updatedAtMs: 1,
    });
    for (const accountId of [world.accountId, other.id])
      await changeAccess(world.db, { accounts: [accountId], members: [member?.id ?? 0] }, (tx) =>
        setAccountPolicy(tx, {
          accountId,
          requiredLevel: 2,
          requiredFromMs: null,
          requiredUntilThen: 1,
          nowMs: 1,
        }),
      );
    expect((await world.call('member.list', {}, { token, accountId: world.accountId })).status).toBe(200);
    expect((await world.call('member.list', {}, { token, accountId: other.id })).status).toBe(403);
    world.wait(2 * 3_600_000 + 1_000);
    expect((await whoIs(world, token)).status).toBe(401);
  });
});
