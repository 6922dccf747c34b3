import { DEMONSTRATION_PASSWORD as PASSWORD } from '@gatehouse/runtime/config/secrets';
import { type RunningService, signIn, signInByPassword } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { z } from 'zod';
import { createSocialBrowser } from '../test/social-browser.js';
import { socialSession } from '../test/social-session.js';
import { startSocialWorld } from '../test/social-world.js';

const dialect = inject('dialect');
const DAY_MS = 86_400_000;
const OWNER = 'owner@acme.test';
const SECOND_PASSWORD = 'Copper-Meadow-17';
const THIRD_PASSWORD = 'Silver-Orchard-05';
const MALLORY = { id: 'mallory-at-google', email: 'mallory@evil.test' };

const changed = z.object({
  data: z.object({
    youngerConnections: z.array(
      z.object({ id: z.int(), provider: z.string(), email: z.string().nullable() }),
    ),
    connectionsEnded: z.boolean(),
  }),
});

const listed = z.object({
  data: z.array(z.object({ provider: z.string(), isYoungerThanPassword: z.boolean() })),
});

async function connect(
  service: RunningService,
  token: string,
  provider: string,
  person: object = {},
): Promise<void> {
  const begun = await service.send('/auth/connections/start', { token, body: { provider } });
  const { url } = z.object({ url: z.string() }).parse(await begun.json());
  const end = await createSocialBrowser(service).visit(url, { person });
  const body = { code: end.searchParams.get('code') };
  expect((await service.send('/auth/connections/finish', { token, body })).status).toBe(200);
}

/** A member who connected GitHub before their current password, with which somebody connected Google yesterday. */
async function startAttacked() {
  let atMs = Date.now();
  const world = await startSocialWorld({ dialect, now: () => atMs });
  const { service } = world;
  const own = await signIn(service, OWNER);
  await connect(service, own.token, 'github');
  atMs += 7 * DAY_MS;
  const { token } = await signIn(service, OWNER);
  const change = { currentPassword: PASSWORD, newPassword: SECOND_PASSWORD };
  expect((await service.send('/v1/password/change', { token, body: change })).status).toBe(200);
  atMs += DAY_MS;
  const stolen = await signInByPassword(service, OWNER, SECOND_PASSWORD);
  await connect(service, stolen.token, 'google', MALLORY);
  const byGoogle = await socialSession(service, 'google', MALLORY);
  expect(byGoogle.userId).toBe(own.userId);
  atMs += DAY_MS;
  const session = await signInByPassword(service, OWNER, SECOND_PASSWORD);
  const changeAgain = async (more: object = {}) => {
    const body = { currentPassword: SECOND_PASSWORD, newPassword: THIRD_PASSWORD, ...more };
    const answer = await service.send('/v1/password/change', { token: session.token, body });
    expect(answer.status).toBe(200);
    return changed.parse(await answer.json()).data;
  };
  const statusOf = async (of: { token: string }) =>
    (await service.send('/auth/me', { token: of.token })).status;
  return { world, service, own, stolen, byGoogle, session, changeAgain, statusOf };
}

describe('a change of the password', () => {
  it('ends the connection that a thief of the old password added, and its sessions', async () => {
    const { world, service, own, stolen, byGoogle, session, changeAgain, statusOf } = await startAttacked();
    await using _world = world;
    expect([await statusOf(stolen), await statusOf(byGoogle)]).toEqual([200, 200]);
    const list = async () => {
      const answer = await service.send('/auth/connections', { token: session.token });
      return listed.parse(await answer.json()).data;
    };
    expect(await list()).toEqual([
      { provider: 'github', isYoungerThanPassword: false },
      { provider: 'google', isYoungerThanPassword: true },
    ]);

    expect(await changeAgain({ endConnections: true })).toMatchObject({
      youngerConnections: [{ provider: 'google', email: MALLORY.email }],
      connectionsEnded: true,
    });
    expect([await statusOf(stolen), await statusOf(byGoogle), await statusOf(session)]).toEqual([
      401, 401, 200,
    ]);
    expect((await socialSession(service, 'google', MALLORY)).userId).not.toBe(own.userId);
    expect((await socialSession(service, 'github')).userId).toBe(own.userId);
    expect(await list()).toEqual([{ provider: 'github', isYoungerThanPassword: false }]);
    const events = await service.send('/v1/securityEvent/listMine', { token: session.token });
    const { data } = z.object({ data: z.array(z.object({ kind: z.string() })) }).parse(await events.json());
    expect(data.map(({ kind }) => kind)).toContain('connection.removed');
  });

  it('lists newer connections, and keeps them by default', async () => {
    const { world, service, own, changeAgain } = await startAttacked();
    await using _world = world;
    expect(await changeAgain()).toMatchObject({
      youngerConnections: [{ provider: 'google', email: MALLORY.email }],
      connectionsEnded: false,
    });
    expect((await socialSession(service, 'google', MALLORY)).userId).toBe(own.userId);
  });
});
