import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp } from '@gatehouse/api-main/app';
import { createTokenKeys, sealToken } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMemberRole } from '@gatehouse/db/queries/change-member';
import { setPassword } from '@gatehouse/db/queries/passwords';
import { removeMember } from '@gatehouse/db/queries/remove-member';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { providerEnvironment } from '@gatehouse/simulator';
import {
  type AccessWorld,
  insertTestMember,
  type RunningService,
  readOutbox,
  signIn,
  startAccessWorld,
  startService,
  unsettled,
} from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { changePartner, stopPartner } from '../partner/change-partner.js';
import { operatorChange } from '../test/operator-change.js';
import { exchange, loginTokenIn, partnerClient } from '../test/partner-client.js';
import { createSocialBrowser } from '../test/social-browser.js';
import { type SocialWorld, startSocialWorld } from '../test/social-world.js';

const ROOT = fileURLToPath(new URL('../../../..', import.meta.url));

/** The sources of the product, without tests. */
function sources(): string[] {
  return [
    'packages/features/src',
    'packages/http/src',
    'packages/runtime/src',
    'apps/api-main/src',
    'apps/api-admin/src',
    'tooling/cli/src',
  ].flatMap((folder) =>
    readdirSync(`${ROOT}/${folder}`, { recursive: true, encoding: 'utf8' })
      .map((path) => `${folder}/${path}`)
      .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts') && !path.endsWith('.d.ts'))
      .filter((path) => !/node_modules|\/dist\/|\/test\//.test(path)),
  );
}

describe('every way in', () => {
  it('ends in finishSignIn, the only caller of startSession', () => {
    const callers = sources().filter((path) =>
      /\bstartSession\b/.test(readFileSync(`${ROOT}/${path}`, 'utf8')),
    );
    expect(callers).toEqual(['packages/features/src/authentication/finish-sign-in.ts']);
  });
});

const start = () => startAccessWorld(createApp, { dialect: inject('dialect'), application: 'web' });
const OWNER = 3;

const changes = {
  role: ({ db }: AccessWorld) =>
    changeAccess(db, { members: [OWNER] }, (tx) =>
      setMemberRole(unsettled(tx), { memberId: OWNER, roleType: 4, role: 'Another', nowMs: Date.now() }),
    ),
  password: ({ db }: AccessWorld) =>
    changeAccess(db, { members: [OWNER] }, (tx) =>
      setPassword(tx, { memberId: OWNER, hash: 'another', nowMs: Date.now() }),
    ),
  deletion: ({ db }: AccessWorld) =>
    changeAccess(db, { members: [OWNER] }, (tx) => removeMember(tx, { memberId: OWNER, nowMs: Date.now() })),
};

const sessionsOf = async ({ db }: AccessWorld) => (await db.select().from(db.tables.sessions)).length;

describe('a login whose member changes before the session is made', () => {
  it.each(Object.entries(changes))('is refused and makes no session: %s', async (_, change) => {
    await using world = await start();
    world.holdups.beforeTransaction = async () => void (await change(world));
    const body = { email: 'owner@acme.test', password: DEMONSTRATION_PASSWORD };
    const answer = await world.service.send('/webauthenticate', { body });
    expect([answer.status, await sessionsOf(world)]).toEqual([401, 0]);
    expect(await answer.json()).toMatchObject({ error: { code: 'invalid_credentials' } });
    expect(world.holdups.beforeTransaction).toBeUndefined();
  });
});

describe('a login URL of a partner', () => {
  const registered = async ({ other }: AccessWorld) => {
    const client = await partnerClient(other);
    const { userId, loginUrl } = await client.register({ email: 'new@many.test' });
    return { userId, token: loginTokenIn(loginUrl) };
  };

  it('creates no session if the partner was deactivated meanwhile, even if it was activated again', async () => {
    await using world = await start();
    const { token } = await registered(world);
    world.holdups.beforeTransaction = async () => {
      await stopPartner(operatorChange(world.other), 1);
      await changePartner(operatorChange(world.other), { id: 1, isActive: true });
    };
    const answer = await world.service.send('/webauthenticate', { body: { tempLogin: true, token } });
    expect([answer.status, await sessionsOf(world)]).toEqual([403, 0]);
  });

  it('creates no session if all sessions of the member were ended meanwhile', async () => {
    await using world = await start();
    const { token, userId } = await registered(world);
    world.holdups.beforeTransaction = async () => {
      const nowMs = Date.now() + 2_000;
      await changeAccess(world.db, { members: [userId] }, (tx) =>
        endAllSessions(tx, userId, { nowMs, reason: 'revoked', endedById: null }),
      );
    };
    const answer = await world.service.send('/webauthenticate', { body: { tempLogin: true, token } });
    expect([answer.status, await sessionsOf(world)]).toEqual([403, 0]);
  });
});

const dialect = inject('dialect');

/** A world whose clock stays within one second, which the database's clock has yet to reach. */
async function startWithinASecond(): Promise<SocialWorld> {
  const second = Math.floor(Date.now() / 1000) * 1000 + 60_000;
  let ms = 100;
  return startSocialWorld({
    dialect,
    env: { NODE_ENV: 'development' },
    now: () => {
      ms = Math.min(999, ms + 0.001);
      return Math.floor(second + ms);
    },
  });
}

async function reset(service: RunningService, email: string): Promise<void> {
  await service.send('/forgotPassword', { body: { email } });
  const mail = (await readOutbox(service)).find(({ kind, to }) => kind === 'passwordReset' && to === email);
  const body = { token: mail?.token, password: 'Velvet-Meadow-31' };
  expect((await service.send('/resetPassword', { body })).status).toBe(200);
}

async function banAndUnban(service: RunningService, memberId: number): Promise<void> {
  await using admin = await startService(createAdminApp, {
    dialect,
    application: 'admin',
    database: service.database,
    now: service.services.now,
  });
  const { token } = await signIn(admin, 'root@gatehouse.test');
  for (const act of ['ban', 'unban'])
    expect((await admin.send(`/v1/member/${act}`, { token, body: { memberId } })).status).toBe(200);
}

const EVENTS: readonly [string, (service: RunningService, member: Member) => Promise<void>][] = [
  ['a reset', (service, { email }) => reset(service, email)],
  ['a ban, though it is lifted again', (service, { memberId }) => banAndUnban(service, memberId)],
  [
    'the end of all sessions',
    ({ database, services }, { memberId }) =>
      changeAccess(database, { members: [memberId] }, (tx) =>
        endAllSessions(tx, memberId, { nowMs: services.now(), reason: 'revoked', endedById: null }),
      ),
  ],
];

interface Member {
  readonly memberId: number;
  readonly email: string;
}

const enter = async (service: RunningService, token: string | null) =>
  (await service.send('/webauthenticate', { body: { tempLogin: true, token } })).status;

describe.each(EVENTS)('%s', (_, happen) => {
  it('revokes the token of a provider sign-in from the same second, but none made after it', async () => {
    await using world = await startWithinASecond();
    const { service } = world;
    const person = { id: '1815', email: 'ada@byron.test' };
    const visit = async () =>
      (await createSocialBrowser(service).visit('/social/google', { person })).searchParams.get('user');
    const { userId: memberId } = await exchange(service, (await visit()) ?? '');
    const before = await visit();
    await happen(service, { memberId, email: person.email });
    expect(await enter(service, before)).toBe(403);
    expect(await enter(service, await visit())).toBe(200);
  });

  it('revokes the token of a partner sign-on from the same second, and a token without a session row', async () => {
    await using world = await startWithinASecond();
    const { service } = world;
    const partner = await partnerClient(service);
    const { loginUrl, userId: memberId } = await partner.register({ email: 'ada@byron.test' });
    const before = [loginTokenIn(loginUrl), await partner.signOn({ userId: memberId })];
    const { token: rowless } = sealToken(
      createTokenKeys({ secret: service.services.config.JWT_SECRET_KEY }),
      { userId: memberId, role: 5, defaultPaymentId: 2, accountId: null, isPersonnel: false },
      { nowMs: service.services.now(), ttlSeconds: 3600 },
    );
    expect((await service.send('/auth/me', { token: rowless })).status).toBe(200);
    await happen(service, { memberId, email: 'ada@byron.test' });
    for (const token of before) expect(await enter(service, token)).toBe(403);
    expect((await service.send('/auth/me', { token: rowless })).status).toBe(401);
  });
});

describe('the first join through a provider', () => {
  it('revokes a partner’s token from the same second, but not its own', async () => {
    await using world = await startWithinASecond();
    const { service } = world;
    const partner = await partnerClient(service);
    const { loginUrl } = await partner.register({ email: 'ada@byron.test' });
    const session = await exchange(service, loginTokenIn(loginUrl));
    await service.send('/auth/resendConfirmation', { token: session.token, body: {} });
    const [mail] = await readOutbox(service);
    const confirmed = await service.send('/confirmationDetails', { body: { token: mail?.token } });
    expect(confirmed.status).toBe(200);
    const before = await partner.signOn({ userId: session.userId });
    const person = { id: '1815', email: 'ada@byron.test' };
    const own = await createSocialBrowser(service).visit('/social/google', { person });
    expect(await enter(service, before)).toBe(403);
    expect((await exchange(service, own.searchParams.get('user') ?? '')).userId).toBe(session.userId);
  });
});

describe('the first join through a provider on a node whose clock is 65 minutes behind', () => {
  it('revokes tokens without a session row that were issued meanwhile, but not its own', async () => {
    await using world = await startSocialWorld({ dialect, env: { NODE_ENV: 'development' } });
    const { service, simulator } = world;
    const { database } = service;
    await using slow = await startService(createApp, {
      dialect,
      application: 'web',
      database,
      env: { ...providerEnvironment(simulator.url), NODE_ENV: 'development' },
      now: () => Date.now() - 65 * 60_000,
    });
    const nowMs = Date.now() - 30 * 60_000;
    const planter = { isConfirmed: true, isProven: false, withSession: false, now: () => nowMs };
    const { id, email, token } = await insertTestMember(database, planter);
    const statuses = () =>
      Promise.all([service, slow].map(async (on) => (await on.send('/auth/me', { token })).status));
    expect(await statuses()).toEqual([200, 200]);
    const person = { id: '1815', email };
    for (let visit = 0; visit < 2; visit += 1) {
      const end = await createSocialBrowser(slow).visit('/social/google', { person });
      const session = await exchange(slow, end.searchParams.get('user') ?? '');
      expect(session.userId).toBe(id);
      expect((await service.send('/auth/me', { token: session.token })).status).toBe(200);
    }
    expect(await statuses()).toEqual([401, 401]);
  });
});
