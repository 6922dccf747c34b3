import { unsettled } from '@gatehouse/testkit';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import { createDemonstration, DEMONSTRATION_HASH } from '../test/test-databases.js';
import { changeAccess } from './change-access.js';
import { setMemberRole } from './change-member.js';
import { touchSessions } from './change-session.js';
import { findTokenState } from './find-token-state.js';
import { listNewestSignIns, listSessions } from './list-sessions.js';
import { setPasswordHash } from './passwords.js';
import { findMember } from './read-members.js';
import { consumeToken } from './refresh-session.js';
import { removeMember } from './remove-member.js';
import { endAllSessions, endSession, endSessionById } from './revoke-sessions.js';
import { startSession } from './start-session.js';

const dialect = inject('dialect');

const MEMBER = 3;

const nowMs = 10;

const expiresAtMs = 1_000;

function login(
  db: Database,
  tokenKey: string,
  over: { memberId?: number; expectedPassword?: string; address?: string; partnerId?: number } = {},
) {
  return db.transaction((tx) =>
    startSession(tx, {
      memberId: MEMBER,
      expectedPassword: DEMONSTRATION_HASH,
      expectedFactorEpoch: 0,
      isHeard: false,
      amr: 'pwd',
      level: 1,
      tokenKey,
      kind: 'session',
      device: 'a browser',
      address: '127.0.0.1',
      partnerId: null,
      nowMs,
      expiresAtMs,
      ...over,
    }),
  );
}

describe('a session', () => {
  it('starts for a member whose checked password is still current', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const session = await login(db, 'a');
    expect(await findTokenState(db, 'a')).toEqual({
      isRevoked: false,
      session: {
        id: session?.id,
        memberId: MEMBER,
        epoch: 0,
        endedAtMs: null,
        expiresAtMs,
        partnerId: null,
        verifiedAtMs: 10,
        verifiedLevel: 1,
        amr: 'pwd',
        level: 1,
        authTimeMs: 10,
        recoveryId: null,
        familyId: session?.id,
        absoluteUntilMs: null,
        retiresAtMs: null,
        lastSeenAtMs: 10,
        sso: null,
        impersonation: null,
      },
    });
    expect(await findTokenState(db, 'unknown')).toEqual({ isRevoked: false, session: undefined });
  });

  it('does not start when the password changed, or the member was removed, since the check', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    expect(await login(db, 'a', { expectedPassword: 'another' })).toBeUndefined();
    expect(await login(db, 'b', { memberId: 999 })).toBeUndefined();
    expect(await login(db, 'c', { memberId: 10 })).toBeUndefined();
    await changeAccess(db, { members: [MEMBER] }, (tx) => removeMember(tx, { memberId: MEMBER, nowMs }));
    expect(await login(db, 'd')).toBeUndefined();
    for (const tokenKey of ['a', 'b', 'c', 'd']) {
      expect((await findTokenState(db, tokenKey)).session).toBeUndefined();
    }
  });

  it('stores a device name of any length with any characters', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await db.transaction((tx) =>
      startSession(tx, {
        memberId: MEMBER,
        expectedPassword: DEMONSTRATION_HASH,
        expectedFactorEpoch: 0,
        isHeard: false,
        amr: 'pwd',
        level: 1,
        tokenKey: 'a',
        kind: 'bearer',
        device: `\ud800${'😀'.repeat(300)}\0`,
        address: '::1',
        partnerId: 7,
        nowMs,
        expiresAtMs,
      }),
    );
    const [row] = await listSessions(db, MEMBER, { nowMs, limit: 10 });
    expect(row).toMatchObject({ kind: 'bearer', address: '::1', partnerId: 7 });
    expect(row?.device.startsWith('\ufffd😀')).toBe(true);
  });

  it('ends for good, and a token without a session is revoked', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await login(db, 'a');
    await changeAccess(db, { members: [MEMBER] }, async (tx) => {
      await endSession(tx, { tokenKey: 'a', expiresAtMs, nowMs: 20, reason: 'revoked', endedById: null });
      await endSession(tx, {
        tokenKey: 'observed',
        expiresAtMs,
        nowMs: 20,
        reason: 'revoked',
        endedById: null,
      });
    });
    await changeAccess(db, { members: [MEMBER] }, async (tx) => {
      await endSession(tx, { tokenKey: 'a', expiresAtMs, nowMs: 30, reason: 'revoked', endedById: null });
      await endSession(tx, {
        tokenKey: 'observed',
        expiresAtMs,
        nowMs: 30,
        reason: 'revoked',
        endedById: null,
      });
    });
    expect((await findTokenState(db, 'a')).session?.endedAtMs).toBe(20);
    expect(await findTokenState(db, 'observed')).toEqual({ isRevoked: true, session: undefined });
  });

  it('is ended by its number only for the member it belongs to', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const session = await login(db, 'a');
    const sessionId = session?.id ?? 0;
    const end = (memberId: number) =>
      changeAccess(db, { members: [memberId] }, (tx) =>
        endSessionById(tx, { memberId, sessionId, nowMs: 20, reason: 'revoked', endedById: null }),
      );
    expect(await end(4)).toBe(false);
    expect((await findTokenState(db, 'a')).session?.endedAtMs).toBeNull();
    expect(await end(MEMBER)).toBe(true);
    expect(await end(MEMBER)).toBe(false);
  });

  it('leaves the list once it ends, expires or is ended with all others, and the kept session stays', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    for (const tokenKey of ['a', 'b', 'c', 'd']) await login(db, tokenKey);
    const keys = async (at = nowMs) =>
      (await listSessions(db, MEMBER, { nowMs: at, limit: 10 })).map(({ tokenKey }) => tokenKey);
    expect(await keys()).toEqual(['d', 'c', 'b', 'a']);
    expect(await keys(expiresAtMs)).toEqual([]);
    const [, second] = await listSessions(db, MEMBER, { nowMs, limit: 10 });
    const page = await listSessions(db, MEMBER, { nowMs, limit: 1, beforeId: second?.id ?? 0 });
    expect(page.map(({ tokenKey }) => tokenKey)).toEqual(['b']);

    await changeAccess(db, { members: [MEMBER] }, async (tx) => {
      await endSession(tx, { tokenKey: 'a', expiresAtMs, nowMs: 20, reason: 'revoked', endedById: null });
      await endAllSessions(tx, MEMBER, {
        reason: 'revoked',
        endedById: null,
        nowMs: 20,
        keep: {
          tokenKey: 'c',
          kind: 'session',
          device: '',
          address: '',
          partnerId: null,
          expiresAtMs,
          verifiedAtMs: null,
          verifiedLevel: 1,
          amr: null,
          level: 1,
          authTimeMs: null,
        },
      });
    });
    expect(await keys()).toEqual(['c']);
    const member = await findMember(db, MEMBER);
    expect(member?.sessionEpoch).toBe(1);
    expect((await findTokenState(db, 'c')).session?.epoch).toBe(1);
    expect((await findTokenState(db, 'd')).session?.epoch).toBe(0);
    expect(await keysAfterNewLogin(db)).toEqual(['e', 'c']);
  });

  it('that had already ended is not revived by ending all others', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await login(db, 'a');
    await changeAccess(db, { members: [MEMBER] }, async (tx) => {
      await endSession(tx, { tokenKey: 'a', expiresAtMs, nowMs: 20, reason: 'revoked', endedById: null });
      await endAllSessions(tx, MEMBER, {
        reason: 'revoked',
        endedById: null,
        nowMs: 20,
        keep: {
          tokenKey: 'a',
          kind: 'session',
          device: '',
          address: '',
          partnerId: null,
          expiresAtMs,
          verifiedAtMs: null,
          verifiedLevel: 1,
          amr: null,
          level: 1,
          authTimeMs: null,
        },
      });
    });
    expect((await findTokenState(db, 'a')).session).toMatchObject({ endedAtMs: 20, epoch: 0 });
    expect(await listSessions(db, MEMBER, { nowMs, limit: 10 })).toEqual([]);
  });

  it('is among the newest sign-ins with its address, unless a partner began it', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await login(db, 'a', { address: '192.0.2.1' });
    await login(db, 'b', { address: '192.0.2.2', partnerId: 1 });
    await login(db, 'c', { address: '192.0.2.3' });
    const addresses = async (limit: number) =>
      (await listNewestSignIns(db, limit)).map(({ address }) => address);
    expect(await addresses(2)).toEqual(['192.0.2.3', '192.0.2.1']);
    expect(await addresses(1)).toEqual(['192.0.2.3']);
  });

  it('remembers when it was last used', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const session = await login(db, 'a');
    await touchSessions(db, [session?.id ?? 0, 12345], 77);
    await touchSessions(db, [], 99);
    const [row] = await listSessions(db, MEMBER, { nowMs, limit: 10 });
    expect(row?.lastSeenAtMs).toBe(77);
  });

  it('waits for a login under way when the member is archived, so that none slips through', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const results = await Promise.all([
      ...Array.from({ length: 10 }, (_, turn) => login(db, `before-${turn}`)),
      changeAccess(db, { members: [MEMBER] }, async (tx) => {
        await setMemberRole(unsettled(tx), { memberId: MEMBER, roleType: 11, role: 'Archived', nowMs: 20 });
        await endAllSessions(tx, MEMBER, { nowMs: 20, reason: 'revoked', endedById: null });
      }),
      ...Array.from({ length: 10 }, (_, turn) => login(db, `after-${turn}`)),
    ]);
    expect(results).toHaveLength(21);
    expect(await listSessions(db, MEMBER, { nowMs, limit: 50 })).toEqual([]);
  });
});

describe('a one-use token', () => {
  it('is used once by any number of concurrent attempts', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const attempts = await Promise.all(
      Array.from({ length: 50 }, () =>
        db.transaction((tx) => consumeToken(tx, { tokenKey: 'once', expiresAtMs })),
      ),
    );
    expect(attempts.filter(Boolean)).toHaveLength(1);
  });

  it('is unused again when the transaction that used it fails', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const attempt = db.transaction(async (tx) => {
      await consumeToken(tx, { tokenKey: 'once', expiresAtMs });
      throw new Error('no session after all');
    });
    await expect(attempt).rejects.toThrow('no session after all');
    expect(await db.transaction((tx) => consumeToken(tx, { tokenKey: 'once', expiresAtMs }))).toBe(true);
  });
});

describe('a password in plain text', () => {
  it('is replaced by its hash once, unless it changed meanwhile', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const plain = 'Lantern-Harbor-42';
    expect(await setPasswordHash(db, 11, 'something else', DEMONSTRATION_HASH)).toBe(false);
    expect(await setPasswordHash(db, 11, plain, DEMONSTRATION_HASH)).toBe(true);
    expect(await setPasswordHash(db, 11, plain, DEMONSTRATION_HASH)).toBe(false);
  });
});

async function keysAfterNewLogin(db: Database): Promise<string[]> {
  await login(db, 'e');
  return (await listSessions(db, MEMBER, { nowMs, limit: 10 })).map(({ tokenKey }) => tokenKey);
}
