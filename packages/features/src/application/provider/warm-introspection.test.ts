import {
  findApplicationById,
  listApplicationSecrets,
  removeApplicationSecret,
  setApplication,
} from '@gatehouse/db/queries/applications';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { removeMembership } from '@gatehouse/db/queries/memberships';
import { insertTestMember, type RunningService } from '@gatehouse/testkit';
import * as oauth from 'openid-client';
import { describe, expect, it, vi } from 'vitest';
import { standingToken } from '../../core/guard/standing-token.js';
import {
  type OauthWorld,
  signInThrough,
  startOauthWorld,
  type TestApplication,
} from '../../test/oauth-world.js';

type Warm = Awaited<ReturnType<typeof startWarm>>;

const ENDED = [false, 401, false];

/** A member's token of an application, which both nodes know. */
async function startWarm(now?: () => number) {
  const world = await startOauthWorld(now);
  const { main, other } = world;
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 3, 2: 5 } });
  const application = await world.application();
  const parameters = { scope: 'openid email accounts account offline_access', prompt: 'consent' };
  const signedIn = await signInThrough(world, application, member, { parameters, account: 1 });
  const token = signedIn.tokens.access_token;
  for (const on of [main, other, main, other]) expect(await introspect(on, application, token)).toBe(true);
  return { ...world, world, member, application, signedIn, token };
}

const asking = ({ clientId, secret }: TestApplication, token: string) => ({
  headers: {
    authorization: `Basic ${Buffer.from(`${clientId}:${secret}`).toString('base64')}`,
    'content-type': 'application/x-www-form-urlencoded',
  },
  body: new URLSearchParams({ token }).toString(),
});

/** Whether an application is told that a token is active, or the status of a refusal. */
async function introspect(on: RunningService, application: TestApplication, token: string): Promise<unknown> {
  const response = await on.send('/oauth/introspect', asking(application, token));
  if (response.status !== 200) return response.status;
  return ((await response.json()) as { active: boolean }).active;
}

/** What a token gives access to at the other node. */
async function opensElsewhere(
  { other }: OauthWorld,
  application: TestApplication,
  token: string,
): Promise<unknown[]> {
  const userinfo = await other.send('/oauth/userinfo', { bearer: token });
  const standing = await standingToken(other.services, token);
  return [await introspect(other, application, token), userinfo.status, standing !== undefined];
}

describe('an application that introspects tokens', () => {
  it('may ask 6,000 times a minute, on all nodes together, and then gets a retry time', async () => {
    const atMs = Date.now();
    await using warm = await startWarm(() => atMs);
    const { world, main, other, application, member, token } = warm;
    for (let asked = 2; asked < 6_000; asked += 1)
      main.services.keyUse.countIntrospection(application.clientId);
    expect(await introspect(main, application, token)).toBe(429);
    await main.services.keyUse.flush();
    await other.services.keyUse.flush();
    const refused = await other.send('/oauth/introspect', asking(application, token));
    expect([refused.status, await refused.json()]).toEqual([429, { error: 'temporarily_unavailable' }]);
    expect(Number(refused.headers.get('retry-after'))).toBeGreaterThan(0);

    const wrong = { ...application, secret: application.secret.replace(/.$/, '!') };
    const second = await world.application();
    const { tokens } = await signInThrough(world, second, member);
    expect(await introspect(other, wrong, token)).toBe(401);
    expect(await introspect(other, second, tokens.access_token)).toBe(true);
  });

  it('gets the same answer from the fast path as from the library', async () => {
    await using world = await startWarm();
    const { main, application, token } = world;
    const { clientId, secret } = application;
    const answers = [
      asking(application, token),
      {
        ...asking(application, token),
        body: new URLSearchParams({ token_type_hint: 'x', token }).toString(),
      },
      {
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ token, client_id: clientId, client_secret: secret }).toString(),
      },
    ].map(async (request) => {
      const response = await main.send('/oauth/introspect', request);
      const { headers, status } = response;
      return [status, headers.get('content-type'), headers.get('cache-control'), await response.json()];
    });
    const [plain, hinted, byLibrary] = await Promise.all(answers);
    expect(plain).toEqual([200, expect.any(String), 'no-store', expect.objectContaining({ active: true })]);
    expect(hinted).toEqual(plain);
    expect(byLibrary).toEqual(plain);
  });

  it('has a secret whose last use is recorded about once a minute', async () => {
    await using world = await startWarm();
    const { main, db, application } = world;
    const lastUse = async () => (await listApplicationSecrets(db, application.id))[0]?.lastUsedAtMs;
    expect(await lastUse()).toBeNull();
    await main.services.keyUse.flush();
    expect(await lastUse()).toBeCloseTo(Date.now(), -5);
  });
});

describe('the introspection of a token that a node knows', () => {
  it('reads only the change log, once for all waiting calls, and writes nothing', async () => {
    await using world = await startWarm();
    const { main, other, db, application, token } = world;
    for (const on of [main, other]) await on.services.keyUse.flush();
    // The nodes exchange their counts once a second.
    const settled = vi.spyOn(main.services.limits, 'add').mockResolvedValue(undefined);
    const { reads, writes } = db.statistics;
    const { changeReads, loads } = main.services.access.statistics;
    const answers = await Promise.all(
      Array.from({ length: 100 }, () => introspect(main, application, token)),
    );
    expect(new Set(answers)).toEqual(new Set([true]));
    const read = main.services.access.statistics.changeReads - changeReads;
    expect(main.services.access.statistics.loads).toBe(loads);
    expect(db.statistics).toMatchObject({ reads: reads + read, writes });
    expect(read).toBeLessThan(100);
    settled.mockRestore();
  });

  it.each<[string, (warm: Warm) => Promise<unknown>, unknown[]]>([
    [
      'the member is banned',
      ({ world, member }) =>
        world.admin.send('/v1/member/ban', {
          token: world.root.token,
          body: { memberId: member.id, reason: 'Fraud' },
        }),
      ENDED,
    ],
    [
      'the member left the account',
      ({ db, member }) =>
        changeAccess(db, { members: [member.id] }, (tx) =>
          removeMembership(tx, { memberId: member.id, accountId: 1, nowMs: Date.now() }),
        ),
      ENDED,
    ],
    [
      'the member has withdrawn',
      async ({ main, member }) => {
        const list = await main.send('/v1/consent/applications', { token: member.token, body: {} });
        const { data } = (await list.json()) as { data: { id: number }[] };
        return main.send('/v1/consent/withdraw', { token: member.token, body: { consentId: data[0]?.id } });
      },
      ENDED,
    ],
    [
      'the application is switched off',
      ({ db, application: { id } }) =>
        changeAccess(db, {}, async (tx) => {
          const row = await findApplicationById(tx, id);
          if (row) await setApplication(tx, { ...row, active: false, nowMs: Date.now() });
        }),
      [401, 401, false],
    ],
    [
      'its secret is removed',
      ({ db, application: { id: applicationId } }) =>
        changeAccess(db, {}, async (tx) => {
          for (const { id } of await listApplicationSecrets(tx, applicationId))
            await removeApplicationSecret(tx, { id, applicationId });
        }),
      [401, 200, true],
    ],
    [
      'the application has revoked it',
      ({ signedIn: { client }, token }) => oauth.tokenRevocation(client.config, token),
      ENDED,
    ],
    [
      'its code was sent again',
      ({ signedIn: { begun, callback } }) =>
        expect(begun.finish(callback)).rejects.toMatchObject({ error: 'invalid_grant' }),
      ENDED,
    ],
  ])('reflects on the other node that %s', async (_what, end, expected) => {
    await using warm = await startWarm();
    const { world, application, token } = warm;
    expect(await opensElsewhere(world, application, token)).toEqual([true, 200, true]);
    const ended = await end(warm);
    if (ended instanceof Response) expect(ended.status).toBe(200);
    expect(await opensElsewhere(world, application, token)).toEqual(expected);
  });
});
