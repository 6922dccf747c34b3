import { randomBytes } from 'node:crypto';
import { createDataCipher } from '@gatehouse/auth-core';
import type { ProviderKey } from '@gatehouse/simulator';
import { printMeasurements, rounds, testConfig } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import { createServices } from '../deployment/create-services.js';
import { socialSession } from '../test/social-session.js';
import { type SocialWorld, startSocialWorld } from '../test/social-world.js';
import {
  connectionRenewal,
  connectionResealing,
  renewConnection,
  socialRetention,
} from './renew-connection.js';

const dialect = inject('dialect');
const HOUR_MS = 3_600_000;

/** A world with a clock the test controls, and one connection. */
async function connected(key: ProviderKey, env: Record<string, string> = {}) {
  const clock = { now: Date.now() };
  const world = await startSocialWorld({ dialect, env, now: () => clock.now });
  await socialSession(world.service, key);
  const row = async () => {
    const { select, tables } = world.service.database;
    const [first] = await select().from(tables.socialConnections);
    if (!first) throw new Error('There is no connection');
    return first;
  };
  return {
    ...world,
    clock,
    row,
    renew: () => runUntilDone(world),
    [Symbol.asyncDispose]: () => world[Symbol.asyncDispose](),
  };
}

async function runUntilDone({ service }: SocialWorld): Promise<number> {
  let done = 0;
  for (;;) {
    const turn = await connectionRenewal.run(service.services);
    if (turn === 0) return done;
    done += turn;
  }
}

describe("the status of a provider's token", () => {
  it('is correct when it is read: expiring in the last fifth of its lifetime, and expired after its end', async () => {
    await using world = await connected('google');
    const { service, clock } = world;
    const { token } = await socialSession(service, 'google');
    const begunAt = clock.now;
    const read = async () => {
      const body = (await (await service.send('/auth/connections', { token })).json()) as {
        data: { token_status: string }[];
      };
      return body.data.map((each) => each.token_status);
    };
    expect(await read()).toEqual(['valid']);
    clock.now = begunAt + 0.79 * HOUR_MS;
    expect(await read()).toEqual(['valid']);
    clock.now = begunAt + 0.81 * HOUR_MS;
    expect(await read()).toEqual(['expiring']);
    clock.now = begunAt + HOUR_MS;
    expect(await read()).toEqual(['expired']);
    expect(await world.row()).toMatchObject({ tokenStatus: 'valid' });
    await world.renew();
    expect(await read()).toEqual(['valid']);
  });

  it('keeps what only the provider knows: time does not overwrite revoked and error', async () => {
    await using world = await connected('google');
    const { service, clock } = world;
    const { token } = await socialSession(service, 'google');
    const { socialConnections } = service.database.tables;
    for (const tokenStatus of ['revoked', 'error'] as const) {
      await service.database.write(service.database.update(socialConnections).set({ tokenStatus }));
      clock.now += 2 * HOUR_MS;
      const body = await (await service.send('/auth/connections', { token })).json();
      expect(body).toMatchObject({ data: [{ token_status: tokenStatus }] });
    }
  });
});

describe("a renewal of a provider's token", () => {
  it('is one request to the provider however many ask concurrently, on two nodes', async () => {
    await using world = await connected('twitter');
    const { service, simulator, clock } = world;
    const { services } = service;
    const otherNode = createServices({
      config: services.config,
      db: services.db,
      log: services.log,
      application: 'web',
      now: services.now,
    });
    const times = rounds({ suite: 3, stress: 40 });
    const { id } = await world.row();
    const first = simulator.tokenRequests('twitter');
    for (let round = 1; round <= times; round += 1) {
      clock.now += 2 * HOUR_MS - 60_000;
      const asked = await Promise.all(
        Array.from({ length: 50 }, (_, index) => renewConnection(index % 2 === 0 ? services : otherNode, id)),
      );
      expect(asked.filter(Boolean)).toHaveLength(1);
      expect(simulator.tokenRequests('twitter')).toBe(first + round);
      expect(await world.row()).toMatchObject({ tokenStatus: 'valid', renewAttempts: 0, leaseToken: null });
    }
    printMeasurements('fifty parallel renewals make one request', { rounds: times, requests: times });
  });

  it('happens before the token ends, and keeps what the provider returns only once', async () => {
    await using world = await connected('google');
    const { clock } = world;
    const before = await world.row();
    expect(await world.renew()).toBe(0);
    clock.now += 0.75 * HOUR_MS;
    expect(await world.renew()).toBe(0);
    clock.now += 0.1 * HOUR_MS;
    expect(await world.renew()).toBe(1);
    const after = await world.row();
    expect(after.accessToken).not.toBe(before.accessToken);
    expect(after.refreshToken).toBe(before.refreshToken);
    expect(after.expiresAtMs).toBe(clock.now + 3_599_000);
  });

  it('exchanges the token itself at Facebook', async () => {
    await using world = await connected('facebook');
    world.clock.now += 50 * 24 * HOUR_MS;
    expect(await world.renew()).toBe(1);
    expect(await world.row()).toMatchObject({ tokenStatus: 'valid', refreshToken: null });
  });

  it("is retried later each time while the provider is down, and shows the token's status", async () => {
    await using world = await connected('tiktok');
    const { clock, simulator } = world;
    simulator.tell('tiktok', { token: 'error500' });
    clock.now += 23 * HOUR_MS;
    const pauses: number[] = [];
    for (let attempt = 0; attempt < 5; attempt += 1) {
      expect(await world.renew()).toBe(1);
      const { renewDueAtMs, tokenStatus, lastError } = await world.row();
      expect({ tokenStatus, lastError }).toEqual({ tokenStatus: 'expiring', lastError: 'unreachable' });
      pauses.push((renewDueAtMs ?? 0) - clock.now);
      clock.now = renewDueAtMs ?? 0;
    }
    expect(pauses).toEqual(pauses.toSorted((one, other) => one - other));
    clock.now += 2 * HOUR_MS;
    expect(await world.renew()).toBe(1);
    expect(await world.row()).toMatchObject({ tokenStatus: 'expired' });
    simulator.tell('tiktok', { token: null });
    clock.now += 2 * HOUR_MS;
    expect(await world.renew()).toBe(1);
    expect(await world.row()).toMatchObject({ tokenStatus: 'valid', lastError: null, renewAttempts: 0 });
  });

  it('ends for good when consent was withdrawn, until the person signs in again', async () => {
    for (const key of ['google', 'linkedin', 'twitter', 'tiktok', 'facebook'] as const) {
      await using world = await connected(key);
      world.simulator.revokeAll(key);
      const { renewDueAtMs } = await world.row();
      world.clock.now = renewDueAtMs ?? 0;
      expect(await world.renew()).toBe(1);
      expect(await world.row()).toMatchObject({ tokenStatus: 'revoked', renewDueAtMs: null });
      await socialSession(world.service, key);
      expect(await world.row()).toMatchObject({ tokenStatus: 'valid', lastError: null });
    }
  });

  it('is not attempted without anything to renew with, and the connection expires', async () => {
    await using world = await connected('facebook');
    const { expiresAtMs } = await world.row();
    world.clock.now = expiresAtMs ?? 0;
    expect(await world.renew()).toBe(1);
    expect(await world.row()).toMatchObject({ tokenStatus: 'expired', renewDueAtMs: null });
  });

  it('is not made for a deleted member', async () => {
    await using world = await connected('google');
    const { database } = world.service;
    const { members } = database.tables;
    await database.write(database.update(members).set({ isDeleted: true }));
    world.clock.now += HOUR_MS;
    expect(await world.renew()).toBe(0);
    expect(world.simulator.tokenRequests('google')).toBe(1);
  });

  it('is released by a node that died', async () => {
    await using world = await connected('google');
    const { simulator, service, clock } = world;
    clock.now += HOUR_MS;
    simulator.tell('google', { token: 'slow' });
    const { id } = await world.row();
    const late = renewConnection(service.services, id);
    await expect.poll(() => simulator.tokenRequests('google')).toBe(2);
    expect(await renewConnection(service.services, id)).toBe(false);
    simulator.tell('google', { token: null });
    clock.now += 61_000;
    expect(await renewConnection(service.services, id)).toBe(true);
    const renewed = await world.row();
    expect(renewed.tokenStatus).toBe('valid');
    // A node that was believed dead must not overwrite the other's result with its own.
    expect(await late).toBe(true);
    expect(await world.row()).toEqual(renewed);
  });
});

describe('a change of the data encryption key', () => {
  it('leaves every token readable, encrypts it again, and marks those that no known key can decrypt', async () => {
    await using world = await connected('google');
    const { service } = world;
    const { services, database } = service;
    const before = await world.row();
    const key = randomBytes(32).toString('base64');
    const config = testConfig({
      DATA_ENCRYPTION_KEY: key,
      DATA_ENCRYPTION_KEY_PREVIOUS: services.config.DATA_ENCRYPTION_KEY,
    });
    const rotated = createServices({ config, db: database, log: services.log, application: 'web' });
    expect(await connectionResealing.run(services)).toBe(0);
    expect(await connectionResealing.run(rotated)).toBe(1);
    expect(await connectionResealing.run(rotated)).toBe(0);
    const after = await world.row();
    const context = `socialConnection:3:${after.providerUserId}:accessToken`;
    expect(createDataCipher({ key }).open(after.accessToken ?? '', context)).toBe(
      services.cipher.open(before.accessToken ?? '', context),
    );

    const stranger = createServices({
      config: testConfig({
        DATA_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
        DATA_ENCRYPTION_KEY_PREVIOUS: randomBytes(32).toString('base64'),
      }),
      db: database,
      log: services.log,
      application: 'web',
    });
    expect(await connectionResealing.run(stranger)).toBe(1);
    expect(await connectionResealing.run(stranger)).toBe(0);
    expect(await world.row()).toMatchObject({ tokenStatus: 'error', accessToken: after.accessToken });
  });
});

describe('expired codes', () => {
  it('are removed with the identities that waited in them', async () => {
    await using world = await connected('google');
    const { service, clock } = world;
    const { token } = await socialSession(service, 'google');
    await service.send('/auth/connections/start', { token, body: { provider: 'github' } });
    const { select, tables } = service.database;
    expect(await socialRetention.run(service.services)).toBe(0);
    expect(await select().from(tables.socialStates)).toHaveLength(1);
    clock.now += 10 * 60_000;
    expect(await socialRetention.run(service.services)).toBe(1);
    expect(await select().from(tables.socialStates)).toEqual([]);
  });
});
