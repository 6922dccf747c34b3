import { randomUUID } from 'node:crypto';
import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { developmentEnvironment, insertTestMember, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { changeColumn } from '../../test/change-column.js';
import { DOMAIN, startSsoWorld } from '../../test/sso-world.js';
import { resultOf, type StaffSsoWorld, startStaffSsoWorld, vouched } from '../../test/staff-sso-world.js';
import { insertTestSso } from '../../test/test-sso.js';

const DAY_MS = 86_400_000;

const errorFor = async (world: StaffSsoWorld, claims: Record<string, unknown>) => {
  world.idp.told.claims = claims;
  return (await world.visit()).get('error');
};

const peopleOf = async ({ db }: StaffSsoWorld) =>
  (await db.select().from(db.tables.members)).map(
    ({ id, isPersonnel, roleType, password, ownerProvenAtMs }) =>
      [id, isPersonnel, roleType, password, ownerProvenAtMs].join(),
  );

/** What the provider sends once it has ended the sessions that are named. */
async function logoutToken({ idp, nowMs }: StaffSsoWorld, named: object): Promise<URLSearchParams> {
  idp.told.claims = {};
  const nowSeconds = Math.floor(nowMs() / 1000);
  const token = await idp.provider.issuer.buildToken({
    scopesOrTransform: (_header, payload) => {
      for (const name of Object.keys(payload)) Reflect.deleteProperty(payload, name);
      Object.assign(payload, {
        ...named,
        iss: idp.issuer,
        aud: 'gatehouse',
        iat: nowSeconds,
        exp: nowSeconds + 120,
        jti: randomUUID(),
        events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
      });
    },
  });
  return new URLSearchParams({ logout_token: token });
}

describe('a sign-in of staff through an identity provider', () => {
  it('identifies a person by their proven address at first and by the subject afterwards, and ends nothing', async () => {
    await using world = await startStaffSsoWorld();
    const { db } = world;
    const ada = await world.named('ada');
    const before = await peopleOf(world);
    const token = await world.signIn(vouched('ada'));
    expect(await world.me(token)).toBe(200);
    expect((await world.ask('audit.list', {}, token)).code).toBe('permission_denied');
    expect((await world.ask('account.list', {}, token)).status).toBe(200);
    expect([await world.me(ada.token), await peopleOf(world)]).toEqual([200, before]);
    const audit = await db.select().from(db.tables.auditLog);
    const actions = audit.filter(({ actorId }) => actorId === ada.id).map(({ action }) => action);
    expect(actions).toEqual(expect.arrayContaining(['sso.member-joined', 'session.started']));
    const mails = await db.select().from(db.tables.mailOutbox);
    expect(mails.filter(({ memberId }) => memberId === ada.id).map(({ kind }) => kind)).toContain(
      'newConnection',
    );
    const sessions = await db.select().from(db.tables.sessions);
    expect(sessions.at(-1)).toMatchObject({ amr: 'fed', level: 1, verifiedAtMs: null, memberId: ada.id });

    // Whatever the address says now.
    await world.signIn({ sub: 'ada', email: 'eve@other.example' });
    const subjects = await db.select().from(db.tables.ssoSubjects);
    expect(subjects.map(({ memberId, accountId }) => [memberId, accountId])).toEqual([[ada.id, 0]]);
  });

  it('requires an address that the provider calls verified, in a configured domain', async () => {
    await using world = await startStaffSsoWorld();
    await world.named('ada');
    const { email } = vouched('ada');
    for (const verified of [{}, { email_verified: false }, { email_verified: 'no' }, { email_verified: 1 }])
      expect([verified, await errorFor(world, { sub: 'ada', email, ...verified })]).toEqual([
        verified,
        'account_forbidden',
      ]);
    const other = await world.member({ isPersonnel: true, roleType: 6 });
    const foreign = { sub: 'other', email: other.email, email_verified: true };
    expect(await errorFor(world, foreign)).toBe('account_forbidden');
    expect(await errorFor(world, { sub: 'ada', email: `ada@sub.${DOMAIN}`, email_verified: true })).toBe(
      'account_forbidden',
    );
    expect(await errorFor(world, vouched('ada'))).toBeNull();
  });

  it('makes nobody a member or staff, and refuses staff who are banned, deleted, unproven or no longer staff', async () => {
    await using world = await startStaffSsoWorld();
    const { db } = world;
    const columns: Record<string, readonly [string, number | null]> = {
      customer: ['is_personnel', 0],
      gone: ['is_deleted', 1],
      archived: ['role_type', 11],
      clicked: ['owner_proven_at_ms', null],
      unconfirmed: ['email_confirmed_at_ms', null],
    };
    for (const [name, [column, value]] of Object.entries(columns)) {
      const { id } = await world.named(name);
      await changeColumn(db, { table: 'members', column, id }, value);
    }
    const before = await peopleOf(world);
    for (const name of [...Object.keys(columns), 'nobody'])
      expect([name, await errorFor(world, vouched(name))]).toEqual([name, 'account_forbidden']);
    expect(await peopleOf(world)).toEqual(before);

    // Whom the provider has signed in before.
    const ada = await world.named('ada');
    const token = await world.signIn(vouched('ada'));
    const user = await (async () => {
      const browser = world.browser();
      return { browser, token: (await world.visit(browser)).get('user') };
    })();
    const off = { personnelId: ada.id, email: `ada@${DOMAIN}`, firstName: 'Ada', lastName: 'L', roleType: 6 };
    const saved = await world.ask('personnel.save', { ...off, accountIds: [], active: false });
    expect(saved.status).toBe(200);
    expect(await world.me(token)).toBe(401);
    expect((await world.redeem(user.token, user.browser)).code).toBe('invalid_token');
    expect(await errorFor(world, vouched('ada'))).toBe('account_forbidden');
  });

  it('is for the browser that went to the provider, and is accepted once', async () => {
    await using world = await startStaffSsoWorld();
    await world.named('ada');
    world.idp.told.claims = vouched('ada');
    const browser = world.browser();
    const { location } = await browser.open(`/sso/${world.key}/start`);
    const consent = await fetch(location, { redirect: 'manual' });
    const callback = consent.headers.get('location') ?? '';
    const errorOf = async (by = browser) => resultOf((await by.open(callback)).location).get('error');
    expect(await errorOf(world.browser())).toBe('invalid_state');
    const cookies = new Map(browser.cookies);
    const end = await browser.open(callback);
    expect(end.location).toMatch(/^http:\/\/[^/]+\/console\/sign-in#user=/);
    const user = resultOf(end.location).get('user');
    for (const [name, value] of cookies) if (!browser.cookies.has(name)) browser.cookies.set(name, value);
    expect(await errorOf()).toBe('invalid_state');

    // A link with a token of another person signs nobody in.
    expect((await world.redeem(user, world.browser())).code).toBe('invalid_token');
    const stranger = world.browser();
    await world.visit(stranger);
    expect((await world.redeem(user, stranger)).code).toBe('invalid_token');
    const answers = await Promise.all([world.redeem(user, browser), world.redeem(user, browser)]);
    expect(answers.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([200, 403]);
    const late = (await world.visit(browser)).get('user');
    world.wait(61_000);
    expect((await world.redeem(late, browser)).code).toBe('invalid_token');
  });

  it('ends by the next request once its connection is switched off or removed, even between the answer and the session', async () => {
    await using world = await startStaffSsoWorld();
    const { connectionId } = world;
    await world.named('ada');
    const token = await world.signIn(vouched('ada'));
    const browser = world.browser();
    const user = (await world.visit(browser)).get('user');
    const waiting = world.browser();
    const { location } = await waiting.open(`/sso/${world.key}/start`);
    expect((await world.ask('staffSso.activate', { connectionId, active: false })).status).toBe(200);
    expect(await world.me(token)).toBe(401);
    expect((await world.redeem(user, browser)).code).toBe('invalid_token');
    const callback = (await fetch(location, { redirect: 'manual' })).headers.get('location') ?? '';
    expect(resultOf((await waiting.open(callback)).location).get('error')).toBe('not_found');
    expect((await world.ask('staffSso.activate', { connectionId })).status).toBe(200);
    expect(await world.me(token)).toBe(401);

    const second = await world.signIn();
    const changed = world.browser();
    const begun = await changed.open(`/sso/${world.key}/start`);
    const domains = [DOMAIN, 'other.example'];
    expect((await world.ask('staffSso.saveOidc', { connectionId, domains })).status).toBe(200);
    expect(await world.me(second)).toBe(200);
    expect((await world.ask('staffSso.activate', { connectionId })).code).toBe('not_tested');
    await world.test();
    expect((await world.ask('staffSso.activate', { connectionId })).status).toBe(200);
    const old = (await fetch(begun.location, { redirect: 'manual' })).headers.get('location') ?? '';
    expect(resultOf((await changed.open(old)).location).get('error')).toBe('invalid_state');
    expect((await world.ask('staffSso.remove', { connectionId })).status).toBe(200);
    expect(await world.me(second)).toBe(401);
    expect((await world.visit()).get('error')).toBe('not_found');
  });

  it('ends with the session at the provider, and says where the browser signs out there', async () => {
    await using world = await startStaffSsoWorld();
    await world.named('ada');
    const first = await world.signIn({ ...vouched('ada'), sid: 'one' });
    const other = await world.signIn({ ...vouched('ada'), sid: 'two' });
    const body = await logoutToken(world, { sid: 'one' });
    const send = (on: string) => fetch(`${on}/sso/oidc/${world.key}/backchannel`, { method: 'POST', body });
    expect((await send(world.main.url)).status).toBe(404);
    expect((await send(world.admin.url)).status).toBe(200);
    expect([await world.me(first), await world.me(other)]).toEqual([401, 200]);
    const left = await world.ask('session.end', {}, other);
    expect(left.body['logoutUrl']).toContain(encodeURIComponent('/console/sign-in'));
    expect(await world.me(other)).toBe(401);
  });

  it('ends by the next request together with what staff do for members in it', async () => {
    await using world = await startStaffSsoWorld();
    const { admin, connectionId, key } = world;
    const ada = await world.named('ada', { roleType: 0 });
    const member = await world.member();
    const begin = async (token: string) => {
      await world.ask('verification.prove', { password: DEMONSTRATION_PASSWORD }, token);
      const wanted = { memberId: member.id, reason: 'Ticket 5531, billing' };
      const { body } = await world.ask('impersonation.start', wanted, token);
      return String(body['token']);
    };
    const isOpen = (token: string) => world.me(token, world.main);
    const endAtProvider = async () =>
      fetch(`${admin.url}/sso/oidc/${key}/backchannel`, {
        method: 'POST',
        body: await logoutToken(world, { sub: 'ada' }),
      });
    const own = await begin(ada.token);
    await world.signIn(vouched('ada'));
    await endAtProvider();
    expect(await isOpen(own)).toBe(200);
    const endings: Record<string, () => Promise<unknown>> = {
      'the provider ends its session': endAtProvider,
      'root switches the connection off': async () => {
        await world.ask('staffSso.activate', { connectionId, active: false });
        await world.ask('staffSso.activate', { connectionId });
      },
      'root removes the connection': () => world.ask('staffSso.remove', { connectionId }),
    };
    for (const [name, end] of Object.entries(endings)) {
      const acting = await begin(await world.signIn(vouched('ada')));
      expect([name, await isOpen(acting)]).toEqual([name, 200]);
      await end();
      expect([name, await isOpen(acting), await isOpen(member.token)]).toEqual([name, 401, 200]);
    }
  });

  it('requires the second step of those who have one, and is not a recent verification for the others', async () => {
    await using world = await startStaffSsoWorld();
    const plain = await world.named('ada');
    const token = await world.signIn(vouched('ada'));
    for (const name of ['session.issueAuthToken', 'totp.start', 'passkey.addOptions'])
      expect([name, (await world.ask(name, {}, token)).code]).toEqual([name, 'verification_required']);
    expect((await world.ask('session.issueAuthToken', {}, plain.token)).status).toBe(200);
    const proven = await world.ask('verification.prove', { password: DEMONSTRATION_PASSWORD }, token);
    expect(proven.status).toBe(200);
    expect((await world.ask('session.issueAuthToken', {}, token)).status).toBe(200);

    const plainBob = await world.named('bob');
    await world.call('verification.sendEmail', {}, { token: plainBob.token });
    const emailCode = await world.mailedCode(`bob@${DOMAIN}`);
    const bob = await world.enrol(plainBob, { emailCode });
    const due = await world.enter(vouched('bob'));
    expect([due.code, due.methods]).toEqual(['second_factor_required', ['totp', 'backupCode']]);
    const { challenge } = due;
    const wrong = await world.call('signIn.step', { challenge, code: bob.wrongCode() }, { on: world.admin });
    expect(wrong.code).toBe('invalid_credentials');
    const step = await world.call('signIn.step', { challenge, code: bob.code() }, { on: world.admin });
    expect(step.data).toMatchObject({ level: 2, methods: ['fed', 'totp'] });
    const stepped = String(step.data['token']);
    expect((await world.ask('session.issueAuthToken', {}, stepped)).status).toBe(200);

    // A step that is due when the connection is switched off is too late.
    world.wait(60_000);
    const late = await world.enter();
    await world.ask('staffSso.activate', { connectionId: world.connectionId, active: false });
    const code = bob.code();
    const refused = await world.call('signIn.step', { challenge: late.challenge, code }, { on: world.admin });
    expect(refused.code).toBe('invalid_challenge');
    expect(await world.me(stepped)).toBe(401);
  });

  it('gives no access to staff without the factor that their work requires', async () => {
    await using world = await startStaffSsoWorld();
    await using strict = await startService(createAdminApp, {
      dialect: inject('dialect'),
      application: 'admin',
      database: world.db,
      env: { ...developmentEnvironment(), STAFF_LEVEL: '2' },
      now: world.nowMs,
    });
    await world.named('ada');
    const browser = world.browser(strict);
    const { data } = await world.redeem((await world.visit(browser)).get('user'), browser, strict);
    expect(data).toMatchObject({ level: 1, requires: { level: 2, by: 'staff' } });
    const as = { token: String(data['token']), on: strict };
    expect((await world.call('account.list', {}, as)).code).toBe('enrolment_required');
    expect((await world.call('totp.start', {}, as)).code).toBe('verification_required');
  });
});

describe('connections of accounts and of the deployment', () => {
  it('are served separately by the main service and the admin service', async () => {
    await using world = await startStaffSsoWorld();
    const owner = await world.member({ memberships: { 1: 1 } });
    const { id, key } = await insertTestSso(world.db, { accountId: 1, createdById: owner.id });
    const errorAt = async (on: typeof world.admin, path: string) =>
      resultOf((await world.browser(on).open(path)).location).get('error');
    for (const path of ['start', 'finish?code=1']) {
      expect(await errorAt(world.admin, `/sso/${key}/${path}`)).toBe('not_found');
      expect(await errorAt(world.main, `/sso/${world.key}/${path}`)).toBe('not_found');
    }
    expect(await errorAt(world.admin, `/sso/oidc/${key}/callback?state=1`)).toBe('not_found');
    expect(await errorAt(world.main, `/sso/oidc/${world.key}/callback?state=1`)).toBe('not_found');
    for (const name of ['test', 'remove', 'activate'])
      expect((await world.ask(`staffSso.${name}`, { connectionId: id })).status).toBe(404);
    const foreign = await world.call(
      'sso.remove',
      { connectionId: world.connectionId },
      { token: owner.token, headers: { accountid: '1' } },
    );
    expect(foreign.status).toBe(404);
  });

  it('never give access to what belongs to the other', async () => {
    await using world = await startStaffSsoWorld();
    const ada = await world.named('ada', { memberships: { 1: 1 }, grants: [2] });
    world.idp.told.claims = vouched('ada');
    const browser = world.browser();
    const user = (await world.visit(browser)).get('user');
    expect((await world.redeem(user, browser, world.main)).code).toBe('invalid_token');
    const opened = await world.redeem(user, browser);
    const token = String(opened.data['token']);
    const me = (on: typeof world.admin, accountId: number, by = token) =>
      on.send('/auth/me', { token: by, accountId });
    expect([await world.me(token, world.main), await world.me(ada.token, world.main)]).toEqual([401, 200]);
    // The session does not reach their own account, but reaches the one they work for.
    expect((await me(world.admin, 1, ada.token)).status).toBe(200);
    expect((await me(world.admin, 1)).status).toBe(403);
    expect((await me(world.admin, 2)).status).toBe(200);
    expect((await me(world.main, 2)).status).toBe(401);
  });

  it('of an account give no session of staff, whatever became of the member meanwhile', async () => {
    await using world = await startSsoWorld({ justInTime: true });
    const user = (await world.visit()).get('user');
    const { db } = world;
    const { members } = db.tables;
    const rows = await db.select().from(members);
    const ada = rows.find(({ email }) => email === `ada@${DOMAIN}`);
    expect((await world.redeem(user)).status).toBe(200);
    const pending = (await world.visit()).get('user');
    await changeColumn(db, { table: 'members', column: 'is_personnel', id: ada?.id ?? 0 }, 1);
    expect((await world.redeem(pending)).status).toBe(403);
    expect((await world.visit()).get('error')).toBe('account_forbidden');
  });
});

describe('connections for staff', () => {
  it('require base role 0, name domains of companies, and are offered to everybody once they are on', async () => {
    await using world = await startStaffSsoWorld();
    const { db, connectionId } = world;
    const staff = await insertTestMember(db, { isPersonnel: true, roleType: 6, isConfirmed: true });
    expect((await world.ask('staffSso.list', {}, staff.token)).code).toBe('permission_denied');
    const offered = async () => {
      const response = await world.admin.send('/v1/staffSso/offered');
      return ((await response.json()) as { data: unknown }).data;
    };
    expect(await offered()).toEqual([
      { name: 'Works', startUrl: expect.stringMatching(`/sso/${world.key}/start$`) },
    ]);
    for (const domain of ['gmail.com', 'co.uk', 'no domain'])
      expect([
        domain,
        (await world.ask('staffSso.saveOidc', { connectionId, domains: [domain] })).code,
      ]).toEqual([domain, 'domain_not_allowed']);
    expect((await world.ask('staffSso.saveOidc', { connectionId, domains: [] })).status).toBe(400);
    const made = {
      name: 'More',
      issuer: world.idp.issuer,
      clientId: 'gatehouse',
      clientSecret: 'Anchor-Meadow-18',
    };
    expect((await world.ask('staffSso.saveOidc', made)).status).toBe(400);
    const added = await Promise.all(
      ['a', 'b', 'c', 'd', 'e'].map((name) =>
        world.ask('staffSso.saveOidc', { ...made, name, domains: [`${name}.example`] }),
      ),
    );
    expect(added.map(({ status }) => status).toSorted((one, two) => one - two)).toEqual([
      200, 200, 200, 200, 409,
    ]);
    const listed = await world.ask('staffSso.list', {});
    expect(listed.data).toMatchObject({
      next: null,
      connections: [{ domains: [DOMAIN], active: true }, {}, {}, {}, {}],
    });
    expect(JSON.stringify(listed.data)).not.toMatch(/Anchor|roleMap|justInTime|idpLevel|defaultRole/);
    expect(await offered()).toHaveLength(1);
    const audit = await db.select().from(db.tables.auditLog);
    const lines = audit.filter(({ action }) => action.startsWith('sso.connection-'));
    expect(lines.every(({ accountId }) => accountId === null)).toBe(true);
  });

  it('end their sessions after the configured hours', async () => {
    await using world = await startStaffSsoWorld();
    await world.named('ada');
    const token = await world.signIn(vouched('ada'));
    world.wait(DAY_MS / 2 - 60_000);
    expect(await world.me(token)).toBe(200);
    world.wait(61_000);
    expect(await world.me(token)).toBe(401);
  });

  it('show what a test returned, and whom it would sign in', async () => {
    await using world = await startStaffSsoWorld();
    await world.named('ada');
    world.idp.told.claims = vouched('ada');
    expect(await world.test()).toMatchObject({
      state: 'passed',
      mapping: { subject: 'ada', email: `ada@${DOMAIN}`, person: 'address' },
    });
    world.idp.told.claims = vouched('eve');
    expect(await world.test()).toMatchObject({ state: 'passed', mapping: { person: 'refused' } });
    world.idp.told.claims = { sub: 'ada', email: `ada@${DOMAIN}` };
    expect(await world.test()).toMatchObject({
      state: 'failed',
      mapping: { email: null, person: 'refused' },
    });
    const { members, sessions, ssoSubjects } = world.db.tables;
    expect(await world.db.select().from(ssoSubjects)).toEqual([]);
    expect((await world.db.select().from(sessions)).filter(({ amr }) => amr === 'fed')).toEqual([]);
    expect((await world.db.select().from(members)).filter(({ email }) => email === `eve@${DOMAIN}`)).toEqual(
      [],
    );
  });
});
