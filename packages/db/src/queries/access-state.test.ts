import { unsettled } from '@gatehouse/testkit';
import { eq } from 'drizzle-orm';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import { createDemonstration } from '../test/test-databases.js';
import { changeAccess } from './change-access.js';
import { shutAccount } from './change-accounts.js';
import { findAccessSnapshot } from './find-access-snapshot.js';
import { findAccountState } from './find-account-state.js';
import { removeMembership, setMembership } from './memberships.js';
import { findCredential } from './passwords.js';
import { consumePendingAddress, setPendingAddress } from './pending-addresses.js';
import { removePersonnelGrant, setPersonnelGrant } from './personnel-grants.js';
import { findMember } from './read-members.js';
import { removeMember } from './remove-member.js';
import { insertSsoDomain, removeSsoDomain, setSsoDomainVerified } from './sso-domains.js';
import { findFirstAccountId } from './start-session.js';

const dialect = inject('dialect');

const nowMs = 1;

async function firstAccount(db: Database, memberId: number, partnerId: number | null = null) {
  const member = await findMember(db, memberId);
  if (member === undefined) throw new Error(`there is no member ${memberId}`);
  return findFirstAccountId(db, member, partnerId);
}

describe('the access state of a member', () => {
  it('is the state, the live memberships and the live grants', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    expect(await findAccessSnapshot(db, 3, Date.now())).toEqual({
      id: 3,
      roleType: 1,
      banEndsAtMs: null,
      isPersonnel: false,
      isDeleted: false,
      sessionEpoch: 0,
      tokensValidAfterMs: 0,
      secondFactor: false,
      emailStep: false,
      hasTotp: false,
      passkeyRpIds: new Set(),
      impersonationId: null,
      machine: null,
      memberships: [
        { accountId: 1, roleType: 1, customRoleId: null },
        { accountId: 2, roleType: 2, customRoleId: null },
      ],
      grants: [],
      consentedPartners: new Set(),
      ssoHomes: new Set(),
      consentedSubjects: new Set(),
    });
    expect(await findAccessSnapshot(db, 2, Date.now())).toMatchObject({
      isPersonnel: true,
      memberships: [],
      grants: [2],
    });
    expect(await findAccessSnapshot(db, 999, Date.now())).toBeUndefined();
  });

  it('leaves out what was removed, made inactive or not consented to', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const { partnerMembers } = db.tables;
    await db.insert(partnerMembers, { partnerId: 1, memberId: 3, linkedAtMs: 1 });
    await db.insert(partnerMembers, { partnerId: 2, memberId: 3, linkedAtMs: 1, consentedAtMs: 2 });
    await changeAccess(db, { members: [2, 3] }, async (tx) => {
      await removeMembership(tx, { memberId: 3, accountId: 1, nowMs });
      await setMembership(tx, { memberId: 3, accountId: 2, roleType: 2, active: false, nowMs });
      await setMembership(tx, { memberId: 3, accountId: 3, roleType: 5, nowMs });
      await removePersonnelGrant(unsettled(tx), { personnelId: 2, accountId: 2, nowMs });
      await setPersonnelGrant(unsettled(tx), { personnelId: 2, accountId: 3, nowMs });
    });
    expect(await findAccessSnapshot(db, 3, Date.now())).toMatchObject({
      memberships: [{ accountId: 3, roleType: 5, customRoleId: null }],
      consentedPartners: new Set([2]),
      ssoHomes: new Set(),
      consentedSubjects: new Set(),
    });
    expect((await findAccessSnapshot(db, 2, Date.now()))?.grants).toEqual([3]);
    await changeAccess(db, { members: [3] }, async (tx) => {
      expect(await removeMembership(tx, { memberId: 3, accountId: 1, nowMs })).toBeUndefined();
      await setMembership(tx, { memberId: 3, accountId: 1, roleType: 4, nowMs });
    });
    expect((await findAccessSnapshot(db, 3, Date.now()))?.memberships).toContainEqual({
      accountId: 1,
      roleType: 4,
      customRoleId: null,
    });
  });

  it('includes the account that manages a member only while they belong to it with an address in one of its domains', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const { accessChanges, members } = db.tables;
    const homes = async () => [...((await findAccessSnapshot(db, 3, Date.now()))?.ssoHomes ?? [])];
    const managedBy = async () => {
      const [row] = await db
        .select({ accountId: members.managedByAccountId })
        .from(members)
        .where(eq(members.id, 3));
      return row?.accountId;
    };
    const member = await findMember(db, 3);
    const domain = member?.email?.split('@').at(-1) ?? '';
    const announced = async () =>
      (await db.select().from(accessChanges).where(eq(accessChanges.memberId, 3))).length;
    const manage = () => db.write(db.update(members).set({ managedByAccountId: 1 }).where(eq(members.id, 3)));
    await manage();
    expect(await homes()).toEqual([]);
    const id = await changeAccess(db, {}, (tx) =>
      insertSsoDomain(tx, { accountId: 1, domain, proof: 'x', createdById: 3, createdAtMs: 1 }),
    );
    expect(await homes()).toEqual([]);
    const verify = () =>
      changeAccess(db, {}, (tx) => setSsoDomainVerified(tx, { id, domain, nowMs, checkDueAtMs: 2 }));
    const before = await announced();
    await verify();
    expect(await homes()).toEqual([1]);
    expect(await announced()).toBe(before + 1);

    const move = (email: string) =>
      changeAccess(db, { members: [3] }, async (tx) => {
        await setPendingAddress(tx, { memberId: 3, email, emailKey: email, awaits: null, nowMs });
        expect(await consumePendingAddress(tx, { memberId: 3, emailKey: email, nowMs })).toBe(true);
      });
    await move(`other@${domain}`);
    expect([await homes(), await managedBy()]).toEqual([[1], 1]);
    await move(`other@sub.${domain}`);
    expect([await homes(), await managedBy()]).toEqual([[], null]);
    await move(`other@${domain}`);
    expect(await homes()).toEqual([]);

    await manage();
    expect(await homes()).toEqual([1]);
    const leave = (byDirectory: boolean) =>
      changeAccess(db, { members: [3] }, (tx) =>
        removeMembership(tx, { memberId: 3, accountId: 1, byDirectory, nowMs }),
      );
    const join = () =>
      changeAccess(db, { members: [3] }, (tx) =>
        setMembership(tx, { memberId: 3, accountId: 1, roleType: 5, nowMs }),
      );
    await leave(true);
    expect([await homes(), await managedBy()]).toEqual([[], 1]);
    await join();
    expect(await homes()).toEqual([1]);
    await leave(false);
    await join();
    expect([await homes(), await managedBy()]).toEqual([[], null]);

    await manage();
    const known = await announced();
    await changeAccess(db, {}, (tx) => removeSsoDomain(tx, id));
    expect([await homes(), await announced()]).toEqual([[], known + 1]);
  });

  it('distinguishes deleted accounts and members from live ones', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await changeAccess(db, { accounts: [1], members: [5] }, async (tx) => {
      expect(await shutAccount(tx, { accountId: 1, closedById: 1, erasesAtMs: 1, nowMs })).toBe(true);
      expect(await shutAccount(tx, { accountId: 1, closedById: 1, erasesAtMs: 1, nowMs })).toBe(false);
      expect(await removeMember(tx, { memberId: 5, nowMs })).toBe(true);
      expect(await removeMember(tx, { memberId: 5, nowMs })).toBe(false);
    });
    expect(await findAccountState(db, 1)).toMatchObject({ id: 1, isDeleted: true, name: 'Acme Studio' });
    expect(await findAccountState(db, 2)).toMatchObject({ id: 2, isDeleted: false });
    expect(await findAccountState(db, 99)).toBeUndefined();
    expect((await findAccessSnapshot(db, 5, Date.now()))?.isDeleted).toBe(true);
    expect(await findCredential(db, 'contributor@acme.test')).toMatchObject({ id: 5, isDeleted: true });
  });
});

describe('the first account of a member', () => {
  it('is the lowest they may act in', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const first = await Promise.all([1, 2, 3, 7, 8, 9, 10].map((memberId) => firstAccount(db, memberId)));
    expect(first).toEqual([1, 2, 1, 1, 2, 3, null]);
  });

  it('is never a deleted account, not even for staff who see all accounts', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await changeAccess(db, { accounts: [1] }, (tx) =>
      shutAccount(tx, { accountId: 1, closedById: 1, erasesAtMs: 1, nowMs }),
    );
    expect(await firstAccount(db, 1)).toBe(2);
    expect(await firstAccount(db, 3)).toBe(2);
    expect(await firstAccount(db, 7)).toBeNull();
  });

  it('is missing where the membership is archived, even with a grant', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    await changeAccess(db, { members: [2] }, async (tx) => {
      await setMembership(tx, { memberId: 2, accountId: 2, roleType: 11, nowMs });
    });
    expect(await firstAccount(db, 2)).toBeNull();
  });

  it('is one that a partner created, in a session of that partner, until the member consents to more', async () => {
    await using test = await createDemonstration(dialect);
    const { database: db } = test;
    const { accounts, partnerMembers } = db.tables;
    expect(await firstAccount(db, 3, 1)).toBeNull();
    const made = await db.insert(accounts, {
      name: 'Made by a partner',
      nameKey: 'made by a partner',
      ownerId: 3,
      createdByPartnerId: 1,
      createdAtMs: 1,
      updatedAtMs: 1,
    });
    await changeAccess(db, { members: [3] }, async (tx) => {
      await setMembership(tx, { memberId: 3, accountId: made, roleType: 1, nowMs });
    });
    expect(await firstAccount(db, 3, 1)).toBe(made);
    expect(await firstAccount(db, 3, 2)).toBeNull();
    await db.insert(partnerMembers, { partnerId: 1, memberId: 3, linkedAtMs: 1, consentedAtMs: 2 });
    expect(await firstAccount(db, 3, 1)).toBe(1);
    expect(await firstAccount(db, 3, 2)).toBeNull();
  });
});
