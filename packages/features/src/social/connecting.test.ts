import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import { PROVIDER_KEYS, ROBIN } from '@gatehouse/simulator';
import { insertTestMember, type RunningService, signIn } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { countRows } from '../test/count-rows.js';
import { createSocialBrowser } from '../test/social-browser.js';
import { socialSession } from '../test/social-session.js';
import { startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');
const MINUTE_MS = 60_000;

const start = (options: { now?: () => number } = {}) => startSocialWorld({ dialect, ...options });

const connections = z.object({
  data: z.array(z.looseObject({ id: z.number(), provider: z.string(), provider_Id: z.number() })),
});

async function begin(service: RunningService, token: string, provider: string): Promise<string> {
  const response = await service.send('/auth/connections/start', { token, body: { provider } });
  return z.object({ url: z.url() }).parse(await response.json()).url;
}

/** The code that the browser gets. */
async function codeAt(
  service: RunningService,
  url: string,
  person: Partial<typeof ROBIN> = {},
): Promise<string> {
  const end = await createSocialBrowser(service).visit(url, { person });
  return end.searchParams.get('code') ?? `none: ${end.search}`;
}

/** Verifies the member of a session by the password. */
async function prove(service: RunningService, token: string): Promise<void> {
  const body = { password: DEMONSTRATION_PASSWORD };
  expect((await service.send('/v1/verification/prove', { token, body })).status).toBe(200);
}

const finish = (service: RunningService, token: string | undefined, code: string) =>
  service.send('/auth/connections/finish', { token, body: { code } });

async function listOf(service: RunningService, token: string) {
  return connections.parse(await (await service.send('/auth/connections', { token })).json()).data;
}

const statusesOf = (answers: readonly Response[]) =>
  answers.map(({ status }) => status).toSorted((one, other) => one - other);

describe('connecting a provider', () => {
  it('goes through the provider and back, for each of the six, and shows what the provider returned', async () => {
    await using world = await start();
    const { service } = world;
    const { token } = await signIn(service, 'owner@acme.test');
    for (const key of PROVIDER_KEYS) {
      const url = await begin(service, token, key);
      expect(url).toMatch(new RegExp(`^http://127\\.0\\.0\\.1:4000/social/${key}\\?connect=[0-9a-f]{64}$`));
      const end = await createSocialBrowser(service).visit(url);
      expect([...end.searchParams.keys()]).toEqual(['code', 'provider']);
      const finished = await finish(service, token, end.searchParams.get('code') ?? '');
      expect([key, finished.status]).toEqual([key, 200]);
    }
    const list = await listOf(service, token);
    expect(list.map(({ provider, provider_Id }) => [provider, provider_Id])).toEqual([
      ['google', 3],
      ['github', 5],
      ['facebook', 1],
      ['linkedin', 4],
      ['twitter', 2],
      ['tiktok', 6],
    ]);
    expect(list.find(({ provider }) => provider === 'twitter')).toMatchObject({
      token_status: 'valid',
      displayName: 'Robin Rivera',
      TwtAccounts: [{ id: ROBIN.id, name: 'robin_rivera' }],
      FbAccounts: null,
      scopes: ['tweet.read', 'users.read', 'offline.access'],
    });
    expect(JSON.stringify(list)).not.toMatch(/token"|-access-|-refresh-/);
    // Each of them can sign in the member now.
    expect((await socialSession(service, 'tiktok')).userId).toBe(3);
  });

  it('asks for pages and their Instagram accounts when that scope is configured, and keeps none of their tokens', async () => {
    await using world = await startSocialWorld({
      dialect,
      env: { FACEBOOK_SCOPES: 'public_profile email pages_show_list' },
    });
    const { token } = await signIn(world.service, 'owner@acme.test');
    const code = await codeAt(world.service, await begin(world.service, token, 'facebook'));
    await finish(world.service, token, code);
    const [connection] = await listOf(world.service, token);
    expect(connection).toMatchObject({
      FbAccounts: [
        { id: ROBIN.id, name: 'Robin Rivera' },
        { id: '9001', name: 'The Rivera Page' },
        { id: '9003', name: 'Another Page' },
      ],
      IgAccounts: [{ id: '9002', name: 'rivera' }],
    });
  });

  it('is finished only by the session that began it, not by another one of the same member', async () => {
    await using world = await start();
    const { service } = world;
    const attacker = await signIn(service, 'contributor@acme.test');
    const victim = await signIn(service, 'owner@acme.test');
    const otherOfAttacker = await signIn(service, 'contributor@acme.test');
    // The victim opens the attacker's address, consents as themselves, and their front end sends the code.
    const code = await codeAt(service, await begin(service, attacker.token, 'google'));
    for (const token of [victim.token, otherOfAttacker.token]) {
      const refused = await finish(service, token, code);
      expect(refused.status).toBe(403);
      expect(await refused.json()).toMatchObject({ error: { code: 'invalid_token' } });
    }
    expect((await finish(service, undefined, code)).status).toBe(401);
    expect(await countRows(service.database)).toMatchObject({ socialConnections: 0 });
    expect((await finish(service, attacker.token, code)).status).toBe(200);
  });

  it('requires a recent verification to begin and, once the provider has answered, to finish', async () => {
    let now = Date.now();
    await using world = await start({ now: () => now });
    const { service } = world;
    const { token } = await signIn(service, 'owner@acme.test');
    const code = await codeAt(service, await begin(service, token, 'google'));
    now += 9 * MINUTE_MS;
    const later = await codeAt(service, await begin(service, token, 'github'));
    now += MINUTE_MS;
    const begun = () => service.send('/auth/connections/start', { token, body: { provider: 'github' } });
    for (const refused of [
      await begun(),
      await finish(service, token, later),
      await finish(service, token, code),
    ])
      expect([refused.status, await refused.json()]).toMatchObject([
        403,
        { error: { code: 'verification_required', verification: { level: 1, methods: ['password'] } } },
      ]);
    expect(await countRows(service.database)).toMatchObject({ socialConnections: 0 });
    await prove(service, token);
    expect((await begun()).status).toBe(200);
    // The refusal has not used the code up.
    expect((await finish(service, token, later)).status).toBe(200);
  });

  it('cannot be finished once the session that began it has ended', async () => {
    await using world = await start();
    const { service } = world;
    const { token } = await signIn(service, 'owner@acme.test');
    const code = await codeAt(service, await begin(service, token, 'google'));
    await service.send('/auth/logout', { token, method: 'POST' });
    expect((await finish(service, token, code)).status).toBe(401);
    const { token: next } = await signIn(service, 'owner@acme.test');
    expect((await finish(service, next, code)).status).toBe(403);
  });

  it('accepts each of its codes once and for ten minutes, and no other text', async () => {
    let now = Date.now();
    await using world = await start({ now: () => now });
    const { service } = world;
    const { token } = await signIn(service, 'owner@acme.test');
    const url = await begin(service, token, 'google');
    const code = await codeAt(service, url);
    expect(await codeAt(service, url).catch(() => 'no provider')).toBe('no provider');
    const { location } = await createSocialBrowser(service).open(url);
    expect(location).toBe('http://app.gatehouse.test/socialAuth?error=invalid_state');

    const answers = await Promise.all(Array.from({ length: 20 }, () => finish(service, token, code)));
    expect(statusesOf(answers)).toEqual([200, ...Array<number>(19).fill(403)]);

    const late = await codeAt(service, await begin(service, token, 'github'));
    now += 10 * MINUTE_MS;
    await prove(service, token);
    expect((await finish(service, token, late)).status).toBe(403);
    for (const odd of [new URL(url).searchParams.get('connect'), 'x', '__proto__', '%', "' or 1=1"]) {
      expect((await finish(service, token, odd ?? '')).status).toBe(403);
    }
    for (const odd of [null, 0, true, [], {}, '', 'x'.repeat(201)]) {
      const response = await service.send('/auth/connections/finish', { token, body: { code: odd } });
      expect(response.status).toBe(400);
    }
  });

  it('does not work with the code of a flow at another provider', async () => {
    await using world = await start();
    const { token } = await signIn(world.service, 'owner@acme.test');
    const url = (await begin(world.service, token, 'google')).replace('/social/google', '/social/github');
    const { location } = await createSocialBrowser(world.service).open(url);
    expect(location).toBe('http://app.gatehouse.test/socialAuth?error=invalid_state');
  });

  it('is refused for a profile that another member has, in any race', async () => {
    await using world = await start();
    const { service } = world;
    const owner = await signIn(service, 'owner@acme.test');
    const manager = await signIn(service, 'manager@acme.test');
    const codes = await Promise.all(
      [owner, manager].map(async ({ token }) => codeAt(service, await begin(service, token, 'google'))),
    );
    const answers = await Promise.all(
      [owner, manager].map(({ token }, index) => finish(service, token, codes[index] ?? '')),
    );
    expect(statusesOf(answers)).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(await refused?.json()).toMatchObject({ error: { code: 'connection_taken' } });
    expect(await countRows(service.database)).toMatchObject({ socialConnections: 1 });
  });

  it('of a profile that is already connected replaces its tokens', async () => {
    await using world = await start();
    const { service } = world;
    const { token } = await signIn(service, 'owner@acme.test');
    for (const name of ['Robin', 'Robyn']) {
      const code = await codeAt(service, await begin(service, token, 'google'), { firstName: name });
      expect((await finish(service, token, code)).status).toBe(200);
    }
    expect(await listOf(service, token)).toMatchObject([{ displayName: 'Robyn Rivera' }]);
  });

  it('answers 404 for a provider that is not set up, but first 401 to strangers', async () => {
    await using world = await startSocialWorld({ dialect, env: { TIKTOK_CLIENT_ID: '' } });
    const { service } = world;
    const { token } = await signIn(service, 'owner@acme.test');
    const at = async (provider: string, session?: string) =>
      (await service.send('/auth/connections/start', { token: session, body: { provider } })).status;
    expect(await at('tiktok', token)).toBe(404);
    expect(await at('myspace', token)).toBe(404);
    expect(await at('myspace')).toBe(401);
  });
});

describe('removing a connection', () => {
  it('deletes all its data, and the profile can no longer sign in', async () => {
    await using world = await start();
    const { service } = world;
    const { token } = await signIn(service, 'owner@acme.test');
    await finish(service, token, await codeAt(service, await begin(service, token, 'tiktok')));
    const [connection] = await listOf(service, token);
    const remove = (session: string, connectionId: unknown) =>
      service.send('/auth/connections/remove', { token: session, body: { connectionId } });
    const stranger = await signIn(service, 'manager@acme.test');
    expect((await remove(stranger.token, connection?.id)).status).toBe(404);
    const end = await createSocialBrowser(service).visit('/social/tiktok');
    const enter = { social: true, token: end.searchParams.get('user') };
    expect((await remove(token, String(connection?.id))).status).toBe(200);
    expect((await remove(token, connection?.id)).status).toBe(404);
    // Requests to the provider in progress at that moment are void too.
    expect((await service.send('/webauthenticate', { body: enter })).status).toBe(403);
    expect(await listOf(service, token)).toEqual([]);
    expect((await socialSession(service, 'tiktok')).userId).not.toBe(3);
  });

  it('keeps the last connection of a member with no other way to sign in, in any race', async () => {
    await using world = await start();
    const { service } = world;
    const { token } = await socialSession(service, 'twitter');
    await finish(service, token, await codeAt(service, await begin(service, token, 'tiktok')));
    const both = await listOf(service, token);
    const answers = await Promise.all(
      both.map(({ id }) => service.send('/auth/connections/remove', { token, body: { connectionId: id } })),
    );
    expect(statusesOf(answers)).toEqual([200, 409]);
    const refused = answers.find(({ status }) => status === 409);
    expect(await refused?.json()).toMatchObject({ error: { code: 'last_connection' } });
    const [last] = await listOf(service, token);
    const overTrpc = await service.send('/trpc/social.remove', { token, body: { connectionId: last?.id } });
    expect([overTrpc.status, await overTrpc.json()]).toMatchObject([
      409,
      { error: { data: { reason: 'last_connection' } } },
    ]);
    expect(await listOf(service, token)).toHaveLength(1);
  });

  it('requires the permission to connect in the selected account, as do beginning and finishing a connection', async () => {
    await using world = await start();
    const { service } = world;
    const db = service.database;
    const nowMs = Date.now();
    const at = { createdAtMs: nowMs, updatedAtMs: nowMs };
    const roleWith = (name: string, permissions: string[]) =>
      db.insert(db.tables.customRoles, {
        accountId: 1,
        name,
        nameKey: name,
        roleType: 5,
        permissions,
        ...at,
      });
    const reader = await roleWith('reader', ['account.read']);
    const connecting = await roleWith('connecting', ['account.read', 'social.connect']);
    const { id, token } = await insertTestMember(db, { isConfirmed: true, memberships: { 1: 5 } });
    const give = (customRoleId: number) =>
      changeAccess(db, { members: [id] }, (tx) =>
        setMembership(tx, { memberId: id, accountId: 1, roleType: 5, customRoleId, nowMs }),
      );
    const send = async (step: string, body: object, accountId?: number) => {
      const response = await service.send(`/auth/connections/${step}`, { token, accountId, body });
      const { error } = (await response.json()) as { error?: { code: string } };
      return error?.code ?? response.status;
    };
    const code = await codeAt(service, await begin(service, token, 'google'));
    await give(reader);
    for (const [step, body] of [
      ['start', { provider: 'google' }],
      ['finish', { code }],
      ['remove', { connectionId: 1 }],
    ] as const) {
      expect([step, await send(step, body, 1)]).toEqual([step, 'permission_denied']);
      expect([step, await send(step, body, 2)]).toEqual([step, 'account_forbidden']);
    }
    expect(await listOf(service, token)).toEqual([]);
    expect(await send('start', { provider: 'google' })).toBe(200);
    await give(connecting);
    expect(await send('start', { provider: 'google' }, 1)).toBe(200);
    expect(await send('finish', { code }, 1)).toBe(200);
    const [connection] = await listOf(service, token);
    expect(await send('remove', { connectionId: connection?.id }, 1)).toBe(200);
    expect(await listOf(service, token)).toEqual([]);
  });
});
