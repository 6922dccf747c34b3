import { changeAccess } from '@gatehouse/db/queries/change-access';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { createGuardedClient } from '@gatehouse/runtime/network/guarded-client';
import { insertTestMember, type TestMember } from '@gatehouse/testkit';
import express from 'express';
import { auth } from 'express-openid-connect';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import { describe, expect, it } from 'vitest';
import { openFrontDoor } from '../../test/front-door.js';
import { type OauthWorld, startOauthWorld } from '../../test/oauth-world.js';
import { serveApp } from '../../test/serve-app.js';
import { backchannelLogout } from './send-logouts.js';

/** Where express-openid-connect keeps which sessions were ended. */
function createMemoryStore() {
  const kept = new Map<string, unknown>();
  return {
    get: (key: string, done: (error: null, value: unknown) => void) => done(null, kept.get(key)),
    set(key: string, value: unknown, done: (error: null) => void) {
      kept.set(key, value);
      done(null);
    },
    destroy(key: string, done: (error: null) => void) {
      kept.delete(key);
      done(null);
    },
  };
}

/** The services, and an application of others whose library handles logout tokens. */
async function start(options: { subjectType?: 'pairwise'; accountId?: number } = {}) {
  let aheadMs = 0;
  const door = await openFrontDoor();
  const world = await startOauthWorld(() => Date.now() + aheadMs, { BASE_URL: door.url, APP_URL: door.url });
  door.leadTo(world.main.url);
  const app = express();
  const wiki = await serveApp(app);
  const told: string[] = [];
  const broken = { status: 0 };
  app.use('/backchannel-logout', express.urlencoded({ extended: false }), (request, response, next) => {
    const { logout_token: token = '' } = request.body as { logout_token?: string };
    told.push(token);
    if (broken.status === 0) next();
    else response.status(broken.status).location('/elsewhere').end();
  });
  app.use('/elsewhere', (_, response) => {
    told.push('elsewhere');
    response.end();
  });
  const { clientId, secret } = await world.application({
    ...options,
    redirectUris: [`${wiki.url}/callback`],
    backchannelLogoutUri: `${wiki.url}/backchannel-logout`,
  });
  app.use(
    auth({
      issuerBaseURL: door.url,
      baseURL: wiki.url,
      clientID: clientId,
      clientSecret: secret,
      secret: 'of the application of others, which is long',
      authRequired: false,
      backchannelLogout: { store: createMemoryStore() as never },
      authorizationParams: { response_type: 'code', scope: 'openid profile email' },
    }),
  );
  app.get('/', (request, response) => void response.json({ sub: request.oidc.user?.['sub'] ?? null }));
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 3 } });
  return {
    world,
    member,
    wiki,
    told,
    broken,
    clientId,
    issuer: door.url,
    later: (ms: number) => {
      aheadMs += ms;
    },
    /** Signs a person in. Returns whom the application then knows in that browser. */
    async signIn(person: TestMember) {
      const browser = world.browser(person);
      const begun = await browser.send(`${wiki.url}/login`);
      let there = await browser.visit(begun.headers.get('location') ?? '');
      if (there.url.startsWith(door.url)) there = await browser.visit(there.url, {});
      expect((await browser.send(there.url)).status).toBe(302);
      const knows = async () => ((await (await browser.send(wiki.url)).json()) as { sub: string | null }).sub;
      return Object.assign(knows, { browser });
    },
    tell: (on = world.main) => backchannelLogout.run(on.services),
    async [Symbol.asyncDispose]() {
      await world[Symbol.asyncDispose]();
      await wiki[Symbol.asyncDispose]();
      await door[Symbol.asyncDispose]();
    },
  };
}

const waiting = (world: OauthWorld) => world.db.select().from(world.db.tables.applicationLogins);

describe('an application that subscribes to sign-outs', () => {
  it.each<[string, (world: OauthWorld, member: TestMember) => Promise<unknown>]>([
    ['signs out', ({ main }, { token }) => main.send('/auth/logout', { token, body: {} })],
    [
      'ends all sessions',
      ({ db }, { id }) =>
        changeAccess(db, { members: [id] }, (tx) =>
          endAllSessions(tx, id, { nowMs: Date.now(), reason: 'revoked', endedById: null }),
        ),
    ],
    [
      'is banned',
      ({ admin, root }, { id }) =>
        admin.send('/v1/member/ban', { token: root.token, body: { memberId: id, reason: 'Fraud' } }),
    ],
  ])('signs a person out there who %s here, and nobody else', async (_what, end) => {
    await using started = await start();
    const { world, member, signIn, tell, told } = started;
    const other = await insertTestMember(world.db, { isConfirmed: true });
    const knows = await signIn(member);
    const knowsOther = await signIn(other);
    expect(await knows()).toBe(String(member.id));
    expect(await tell()).toBe(0);
    const ended = await end(world, member);
    if (ended instanceof Response) expect(ended.status).toBe(200);
    // Another node finds the job, and only one of them sends it.
    await Promise.all([tell(world.main), tell(world.other)]);
    expect(told).toHaveLength(1);
    expect(await knows()).toBeNull();
    expect(await knowsOther()).toBe(String(other.id));
    expect(await waiting(world)).toMatchObject([{ memberId: other.id, dueAtMs: null }]);
  });

  it('gets a logout token by the standard, with the session and the subject that it knows', async () => {
    await using started = await start({ subjectType: 'pairwise' });
    const { world, member, signIn, tell, told, issuer, clientId } = started;
    const discovered = await fetch(`${issuer}/.well-known/openid-configuration`);
    expect(await discovered.json()).toMatchObject({
      backchannel_logout_supported: true,
      backchannel_logout_session_supported: true,
    });
    const knows = await signIn(member);
    const sub = await knows();
    expect(sub).not.toBe(String(member.id));
    await world.main.send('/auth/logout', { token: member.token, body: {} });
    await tell();
    const keys = createRemoteJWKSet(new URL(`${issuer}/oauth/jwks`));
    const { payload, protectedHeader } = await jwtVerify(told[0] ?? '', keys, {
      issuer,
      audience: clientId,
      typ: 'logout+jwt',
    });
    expect(protectedHeader.alg).toBe('RS256');
    expect(payload).toMatchObject({
      sub,
      sid: expect.stringMatching(/^[\w-]{43}$/),
      jti: expect.any(String),
      events: { 'http://schemas.openid.net/event/backchannel-logout': {} },
    });
    expect(payload).not.toHaveProperty('nonce');
    expect(Number(payload.exp) - Number(payload.iat)).toBe(120);
    expect(await knows()).toBeNull();
  });

  it('is notified again until it answers, for at most a day', async () => {
    await using started = await start();
    const { world, member, signIn, tell, told, broken, later } = started;
    const knows = await signIn(member);
    await world.main.send('/auth/logout', { token: member.token, body: {} });
    broken.status = 500;
    await tell();
    expect(await tell()).toBe(0);
    expect(told).toHaveLength(1);
    later(10_000);
    broken.status = 0;
    await tell();
    expect(told).toHaveLength(2);
    expect(await knows()).toBeNull();
    expect(await waiting(world)).toEqual([]);

    const again = await insertTestMember(world.db, { isConfirmed: true });
    await signIn(again);
    await world.main.send('/auth/logout', { token: again.token, body: {} });
    broken.status = 503;
    for (let hours = 0; hours < 30; hours += 1) {
      await tell();
      later(3_600_000);
    }
    expect(await waiting(world)).toEqual([]);
    expect(told.length).toBeGreaterThan(6);
  });

  it('is not notified at a private address if it belongs to an account, even if the operator allows some', async () => {
    await using started = await start({ accountId: 1 });
    const { world, member, signIn, told } = started;
    const { main, db } = world;
    await signIn(member);
    const named = { backchannelLogoutUri: 'https://intranet.example/logout' };
    await changeAccess(db, { accounts: [1] }, (tx) => tx.write(tx.update(tx.tables.applications).set(named)));
    await main.send('/auth/logout', { token: member.token, body: {} });
    const guarded = createGuardedClient({
      isProduction: true,
      privateNetworks: ['10.0.0.0/8'],
      resolve: () => Promise.resolve(['10.0.0.1']),
    });
    const answers: unknown[] = [];
    const outbound: typeof guarded = {
      ...guarded,
      async post(...call) {
        const answer = await guarded.post(...call);
        answers.push(answer);
        return answer;
      },
    };
    expect(await backchannelLogout.run({ ...main.services, outbound })).toBe(1);
    expect(answers).toEqual([{ failure: 'no_public_address' }]);
    expect(told).toEqual([]);
    expect(await waiting(world)).toMatchObject([{ memberId: member.id, failures: 1 }]);
  });

  it('is notified only at its own address, without following redirects', async () => {
    await using started = await start();
    const { world, member, signIn, tell, told, broken, later } = started;
    await signIn(member);
    await world.main.send('/auth/logout', { token: member.token, body: {} });
    for (const status of [301, 303, 307, 308]) {
      broken.status = status;
      await tell();
      later(3_600_000);
    }
    expect(told).toHaveLength(4);
    expect(told).not.toContain('elsewhere');
    expect(await waiting(world)).toMatchObject([{ memberId: member.id, failures: 4 }]);
  });

  it('is not notified after its removal, or of a session that is not its own', async () => {
    await using started = await start();
    const { world, member, signIn, tell, told } = started;
    await signIn(member);
    const stranger = await insertTestMember(world.db, { isConfirmed: true });
    await world.main.send('/auth/logout', { token: stranger.token, body: {} });
    await tell();
    expect(told).toEqual([]);
    const { applications } = world.db.tables;
    await world.db.write(world.db.update(applications).set({ removedAtMs: Date.now() }));
    await world.main.send('/auth/logout', { token: member.token, body: {} });
    await tell();
    expect(told).toEqual([]);
    expect(await waiting(world)).toEqual([]);
  });

  it('is notified only by the job when a person signs out through it', async () => {
    await using started = await start();
    const { world, member, signIn, tell, told, issuer, clientId } = started;
    const knows = await signIn(member);
    const { browser } = knows;
    const { page } = await browser.visit(`${issuer}/oauth/logout?client_id=${clientId}`);
    const [, xsrf = ''] = /name="xsrf" value="([^"]+)"/.exec(page) ?? [];
    await browser.visit(`${issuer}/oauth/logout/confirm`, { xsrf, logout: 'yes' });
    expect((await world.main.send('/auth/me', { token: member.token })).status).toBe(401);
    expect(told).toEqual([]);
    expect(await knows()).toBe(String(member.id));
    await tell();
    expect(told).toHaveLength(1);
    expect(await knows()).toBeNull();
  });
});
