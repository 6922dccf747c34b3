import { createApp } from '@gatehouse/api-main/app';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { readDatabaseTime } from '@gatehouse/db/queries/database-clock';
import { deactivatePartner } from '@gatehouse/db/queries/partners';
import { endAllSessions } from '@gatehouse/db/queries/revoke-sessions';
import { developmentEnvironment, startService } from '@gatehouse/testkit';
import { describe, expect, inject, it, vi } from 'vitest';
import { startFactorWorld } from '../../test/factor-world.js';

const MINUTE_MS = 60_000;

describe('a session that is kept while all others end', () => {
  it('is not refused when a request read its member before the change and the session afterwards', async () => {
    await using world = await startFactorWorld();
    const { token } = await world.member();
    const { access } = world.main.services;
    const endOthers = () => world.call('session.endMany', { others: true }, { token, on: world.other });
    const readToken = access.token;
    let ended = 0;
    const spy = vi.spyOn(access, 'token').mockImplementation(async (...args) => {
      if (ended < 2) {
        ended += 1;
        expect((await endOthers()).status).toBe(200);
      }
      return readToken(...args);
    });
    expect((await world.call('session.me', {}, { token, query: true })).status).toBe(200);
    expect(ended).toBe(2);
    spy.mockRestore();
  });

  it('is read at most three times, whatever the rows', async () => {
    await using world = await startFactorWorld();
    const { id, token } = await world.member();
    const { sessions } = world.db.tables;
    await world.db.write(world.db.update(sessions).set({ epoch: 99 }));
    const read = vi.spyOn(world.main.services.access, 'member');
    expect((await world.call('session.me', {}, { token, query: true })).status).toBe(401);
    expect(read.mock.calls.filter(([memberId]) => memberId === id)).toHaveLength(3);
  });
});

describe('ending all sessions on a node whose clock is 65 minutes behind', () => {
  it('revokes tokens without a row that were issued meanwhile, and makes none valid again', async () => {
    await using world = await startFactorWorld();
    await using slow = await startService(createApp, {
      dialect: inject('dialect'),
      application: 'web',
      database: world.db,
      env: developmentEnvironment(),
      now: () => world.nowMs() - 65 * MINUTE_MS,
    });
    const { id, token } = await world.member({
      now: () => world.nowMs() - 30 * MINUTE_MS,
      withSession: false,
    });
    const statusAt = async (service: typeof slow) => (await service.send('/auth/me', { token })).status;
    expect([await statusAt(world.main), await statusAt(slow)]).toEqual([200, 200]);
    const end = (nowMs: number) =>
      changeAccess(world.db, { members: [id] }, (tx) =>
        endAllSessions(tx, id, { nowMs, reason: 'revoked', endedById: null }),
      );
    for (const nowMs of [slow.services.now(), world.nowMs(), slow.services.now()]) {
      await end(nowMs);
      expect([await statusAt(world.main), await statusAt(slow)]).toEqual([401, 401]);
    }
  });

  it('does not lower the revocation time of a partner’s tokens', async () => {
    await using world = await startFactorWorld();
    const { db } = world;
    const { partners } = db.tables;
    const aheadMs = Date.now() + 65 * MINUTE_MS;
    await db.write(db.update(partners).set({ tokensValidAfterMs: aheadMs }));
    const [partner] = await db.select().from(partners);
    const partnerId = partner?.id ?? 0;
    const change = { partnerId, endedById: null, nowMs: world.nowMs() };
    expect(await changeAccess(db, { partners: [partnerId] }, (tx) => deactivatePartner(tx, change))).toBe(
      true,
    );
    expect((await db.select().from(partners))[0]).toMatchObject({ tokensValidAfterMs: aheadMs });
  });

  it('revokes all tokens of a partner, even on a node whose clock is behind', async () => {
    await using world = await startFactorWorld();
    const { db } = world;
    const { partners } = db.tables;
    const [partner] = await db.select().from(partners);
    const partnerId = partner?.id ?? 0;
    const [nowMs, behindMs] = [await readDatabaseTime(db), Date.now() - 5 * MINUTE_MS];
    await changeAccess(db, { partners: [partnerId] }, (tx) =>
      deactivatePartner(tx, { partnerId, endedById: null, nowMs: behindMs }),
    );
    expect((await db.select().from(partners))[0]?.tokensValidAfterMs).toBeGreaterThanOrEqual(nowMs);
  });
});
