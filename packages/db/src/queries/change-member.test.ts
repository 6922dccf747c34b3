import { unsettled } from '@gatehouse/testkit';
import { eq } from 'drizzle-orm';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import { createDemonstration } from '../test/test-databases.js';
import { changeAccess } from './change-access.js';
import { findBan, setBan, setMemberRole } from './change-member.js';
import { findAccessSnapshot } from './find-access-snapshot.js';
import { isBanned } from './member-columns.js';
import { findCredentialById } from './passwords.js';
import { findMember } from './read-members.js';

const dialect = inject('dialect');

const MEMBER = 4;

const UNTIL_MS = 5_000;

const ban = (db: Database, untilMs: number | null) =>
  changeAccess(db, { members: [MEMBER] }, (tx) =>
    setBan(unsettled(tx), {
      memberId: MEMBER,
      roleType: 2,
      role: 'Manager/Collaborator',
      untilMs,
      reason: 'why',
      bannedById: 1,
      nowMs: 1,
    }),
  );

/** Writes a base role by hand, without the columns of a ban. */
const writeByHand = (db: Database, roleType: number, role: string) =>
  changeAccess(db, { members: [MEMBER] }, (tx) => {
    const { members } = tx.tables;
    return tx.write(tx.update(members).set({ roleType, role }).where(eq(members.id, MEMBER)));
  });

describe('a stored ban', () => {
  it('keeps base role and label, and ends exactly at the stored millisecond', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await ban(db, UNTIL_MS);
    for (const row of [await findMember(db, MEMBER), await findCredentialById(db, MEMBER)]) {
      expect(row).toMatchObject({ roleType: 2, role: 'Manager/Collaborator', bannedUntilMs: UNTIL_MS });
    }
    expect(await findAccessSnapshot(db, MEMBER, UNTIL_MS - 1)).toMatchObject({
      roleType: 11,
      banEndsAtMs: UNTIL_MS,
    });
    expect(await findAccessSnapshot(db, MEMBER, UNTIL_MS)).toMatchObject({ roleType: 2, banEndsAtMs: null });
    const detail = { atMs: 1, byId: 1, untilMs: UNTIL_MS, reason: 'why' };
    expect(await findBan(db, { memberId: MEMBER, nowMs: UNTIL_MS - 1 })).toEqual(detail);
    expect(await findBan(db, { memberId: MEMBER, nowMs: UNTIL_MS })).toBeUndefined();
  });

  it('stores base role 11, which every release refuses', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const { members } = db.tables;
    await ban(db, UNTIL_MS);
    const [row] = await db.select({ roleType: members.roleType }).from(members).where(eq(members.id, MEMBER));
    expect(row).toEqual({ roleType: 11 });
  });

  it('ends when a base role is written by hand, and does not affect a later ban by hand', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const isOut = async () => {
      const member = await findMember(db, MEMBER);
      return member === undefined ? undefined : isBanned(member, UNTIL_MS);
    };
    await ban(db, UNTIL_MS);
    await writeByHand(db, 3, 'Contributor');
    expect(await findMember(db, MEMBER)).toMatchObject({ roleType: 3, bannedUntilMs: 0 });
    expect(await findAccessSnapshot(db, MEMBER, 1)).toMatchObject({ roleType: 3, banEndsAtMs: null });

    await writeByHand(db, 11, 'Archived');
    expect(await isOut()).toBe(true);
    expect(await findMember(db, MEMBER)).toMatchObject({ roleType: 11 });
    expect(await findAccessSnapshot(db, MEMBER, UNTIL_MS)).toMatchObject({ roleType: 11, banEndsAtMs: null });
    const unknown = { atMs: null, byId: null, untilMs: null, reason: null };
    expect(await findBan(db, { memberId: MEMBER, nowMs: UNTIL_MS })).toEqual(unknown);
  });

  it('has no end unless one was given, and is lifted when a base role is given here', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await ban(db, null);
    expect(await findAccessSnapshot(db, MEMBER, 8e15)).toMatchObject({ roleType: 11, banEndsAtMs: null });
    await changeAccess(db, { members: [MEMBER] }, (tx) =>
      setMemberRole(unsettled(tx), { memberId: MEMBER, roleType: 2, role: 'Manager', nowMs: 2 }),
    );
    const { members } = db.tables;
    const [row] = await db.select().from(members).where(eq(members.id, MEMBER));
    expect(row).toMatchObject({
      roleType: 2,
      bannedRoleType: null,
      bannedUntilMs: null,
      bannedAtMs: null,
      bannedById: null,
      banReason: null,
    });
  });
});
