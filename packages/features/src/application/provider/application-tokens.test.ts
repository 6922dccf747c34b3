import { findApplicationById, setApplication } from '@gatehouse/db/queries/applications';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { insertTestMember, type TestMember } from '@gatehouse/testkit';
import * as oauth from 'openid-client';
import { describe, expect, it } from 'vitest';
import {
  type OauthWorld,
  signInThrough,
  startOauthWorld,
  type TestApplication,
} from '../../test/oauth-world.js';

const OFFLINE = { scope: 'openid email offline_access', prompt: 'consent' };

type SignedIn = Awaited<ReturnType<typeof signInThrough>>;

/** What an application's tokens give access to on a node. */
async function opens(
  world: OauthWorld,
  application: TestApplication,
  { tokens }: SignedIn,
  on = world.other,
) {
  const { config } = await world.client(application, on);
  const userinfo = await oauth.fetchUserInfo(config, tokens.access_token, tokens.claims()?.sub ?? '').then(
    () => 'open',
    () => 'refused',
  );
  const active = await oauth.tokenIntrospection(config, tokens.access_token).then(
    (answer) => answer.active,
    // An application that is switched off cannot ask.
    (error: unknown) => {
      if (error instanceof oauth.WWWAuthenticateChallengeError && error.status === 401) return false;
      throw error;
    },
  );
  return [userinfo, active];
}

async function refreshes(world: OauthWorld, application: TestApplication, { tokens }: SignedIn) {
  const { config } = await world.client(application, world.other);
  return oauth.refreshTokenGrant(config, tokens.refresh_token ?? '').then(
    () => 'open',
    (error: unknown) => (error instanceof oauth.ResponseBodyError ? error.error : error),
  );
}

const send = (world: OauthWorld, path: string, body: object, token: string, accountId?: number) =>
  world.main.send(path, {
    token,
    body,
    method: 'POST',
    ...(accountId === undefined ? {} : { headers: { accountid: String(accountId) } }),
  });

describe('the tokens of an application', () => {
  it.each<
    [string, (world: OauthWorld, member: TestMember, application: TestApplication) => Promise<unknown>]
  >([
    ['the member signs out', (world, { token }) => send(world, '/auth/logout', {}, token)],
    [
      'all sessions of the member end',
      ({ db }, { id }) =>
        changeAccess(db, { members: [id] }, (tx) =>
          endAllSessions(tx, id, { nowMs: Date.now(), reason: 'revoked', endedById: null }),
        ),
    ],
    [
      'the member withdraws',
      async (world, { token }) => {
        const list = await send(world, '/v1/consent/applications', {}, token);
        const { data } = (await list.json()) as { data: { id: number }[] };
        return send(world, '/v1/consent/withdraw', { consentId: data[0]?.id }, token);
      },
    ],
    [
      'staff ban the member',
      (world, { id }) =>
        world.admin.send('/v1/member/ban', {
          token: world.root.token,
          body: { memberId: id, reason: 'Fraud' },
        }),
    ],
    [
      'the application is switched off',
      ({ db }, _, { id }) =>
        changeAccess(db, {}, async (tx) => {
          const row = await findApplicationById(tx, id);
          if (row) await setApplication(tx, { ...row, active: false, nowMs: Date.now() });
        }),
    ],
  ])('are all refused on the next request after %s', async (_what, end) => {
    await using world = await startOauthWorld();
    const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 3 } });
    const application = await world.application();
    const signedIn = await signInThrough(world, application, member);
    expect(await opens(world, application, signedIn)).toEqual(['open', true]);
    const ended = await end(world, member, application);
    if (ended instanceof Response) expect(ended.status).toBe(200);
    expect(await opens(world, application, signedIn)).toEqual(['refused', false]);
  });

  it('outlive a sign-out only with `offline_access`', async () => {
    await using world = await startOauthWorld();
    const member = await insertTestMember(world.db, { isConfirmed: true });
    const application = await world.application();
    const signedIn = await signInThrough(world, application, member, { parameters: OFFLINE });
    expect(signedIn.tokens.refresh_token).toMatch(/^gthr_/);
    await send(world, '/auth/logout', {}, member.token);
    expect(await opens(world, application, signedIn)).toEqual(['open', true]);
    expect(await refreshes(world, application, signedIn)).toBe('open');
    const again = await world.admin.send('/v1/member/ban', {
      token: world.root.token,
      body: { memberId: member.id, reason: 'Fraud' },
    });
    expect(again.status).toBe(200);
    expect(await opens(world, application, signedIn)).toEqual(['refused', false]);
    expect(await refreshes(world, application, signedIn)).toBe('invalid_grant');
  });

  it('from one session share one grant, which is written once an hour while it stays the same', async () => {
    let aheadMs = 0;
    await using world = await startOauthWorld(() => Date.now() + aheadMs);
    const member = await insertTestMember(world.db, { isConfirmed: true, ttlSeconds: 86_400 });
    const application = await world.application();
    const { accessChanges } = world.db.tables;
    const changed = async (parameters: Record<string, string> = {}) => {
      const before = (await world.db.select().from(accessChanges)).length;
      const signedIn = await signInThrough(world, application, member, { parameters });
      const changes = (await world.db.select().from(accessChanges)).length - before;
      expect(await opens(world, application, signedIn)).toEqual(['open', true]);
      return changes > 0;
    };
    expect(await changed()).toBe(true);
    expect(await changed()).toBe(false);
    expect(await changed({ scope: 'openid email accounts' })).toBe(true);
    expect(await changed()).toBe(false);
    aheadMs = 3_700_000;
    expect(await changed()).toBe(true);
    expect(await changed()).toBe(false);
  });
});
