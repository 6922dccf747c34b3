import { unsettled } from '@gatehouse/testkit';
import { createTestDatabase } from '@gatehouse/testkit/database';
import { describe, expect, inject, it } from 'vitest';
import type { Database } from '../database.js';
import { changeAccess } from './change-access.js';
import { importAccounts, importGrants, importMemberships, importSubscriptions } from './import-accounts.js';
import { type ImportedMember, importMembers } from './import-members.js';

const at = { createdAtMs: 1, updatedAtMs: 1 };

const person = (id: number, more: Partial<ImportedMember> = {}): ImportedMember => ({
  id,
  sid: `m${id}@old.test`,
  sidKey: `m${id}@old.test`,
  username: `m${id}`,
  usernameKey: `m${id}`,
  firstName: '',
  firstNameKey: '',
  lastNameKey: '',
  lastName: '',
  email: null,
  emailKey: null,
  emailConfirmedAtMs: null,
  password: 'hash',
  roleType: 5,
  role: 'User Member',
  isPersonnel: false,
  isDeleted: false,
  deletedAtMs: null,
  defaultPaymentId: 2,
  ...at,
  ...more,
});

const account = (id: number, ownerId: number) => ({
  id,
  name: `a${id}`,
  nameKey: `a${id}`,
  ownerId,
  isDeleted: false,
  deletedAtMs: null,
  ...at,
});

const membership = (memberId: number, accountId: number) => ({
  memberId,
  accountId,
  roleType: 5,
  isDeleted: false,
  active: true,
  ...at,
});

const people = (db: Database, ...rows: ImportedMember[]) =>
  changeAccess(db, { members: rows.map(({ id }) => id) }, (tx) => importMembers(tx, rows));

describe('an import', () => {
  it('adds new rows, keeps existing ones, and refuses conflicting ones', async () => {
    await using test = await createTestDatabase(inject('dialect'));
    const { database: db } = test;
    expect(await people(db, person(5), person(6, { isPersonnel: true, hasPassword: false }))).toEqual([
      'added',
      'added',
    ]);
    const outcomes = await people(
      db,
      person(5),
      person(6, { sidKey: 'other@old.test' }),
      person(7, { usernameKey: 'm5' }),
      person(8),
    );
    expect(outcomes).toEqual([
      'there',
      { problem: 'member 6 is there already, with another login identifier' },
      { problem: 'member 5 has this username, or one that looks like it' },
      'added',
    ]);

    await changeAccess(db, { members: [5, 6, 8], accounts: [3, 4] }, async (tx) => {
      expect(await importAccounts(tx, [account(3, 5), account(4, 99)])).toEqual([
        'added',
        { problem: 'its owner, member 99, is not there' },
      ]);
      expect(await importAccounts(tx, [account(3, 5), account(3, 8)])).toEqual([
        'there',
        { problem: 'account 3 is there already, with another owner' },
      ]);
      const rows = [membership(5, 3), membership(8, 3), membership(8, 9), membership(9, 3)];
      expect(await importMemberships(tx, rows, 1)).toEqual([
        'added',
        'added',
        { problem: 'account 9 is not there' },
        { problem: 'member 9 is not there' },
      ]);
      expect(await importMemberships(tx, rows.slice(0, 2), 1)).toEqual(['there', 'there']);
      const grant = (personnelId: number) => ({ ...membership(0, 3), personnelId });
      expect(await importGrants(unsettled(tx), [grant(6), grant(5)])).toEqual([
        'added',
        { problem: 'member 5 is not there, or not staff' },
      ]);
      expect(await importGrants(unsettled(tx), [grant(6)])).toEqual(['there']);
      const subscription = (accountId: number) => ({
        accountId,
        state: 'active' as const,
        trialEndsAtMs: null,
        provider: null,
        providerCustomerId: null,
        providerSubscriptionId: null,
        ...at,
      });
      expect(await importSubscriptions(tx, [subscription(3), subscription(9)])).toEqual([
        'added',
        { problem: 'account 9 is not there' },
      ]);
      expect(await importSubscriptions(tx, [subscription(3)])).toEqual(['there']);
    });
  });

  it('adds each row once, however many imports bring it at the same time', async () => {
    await using test = await createTestDatabase(inject('dialect'));
    const { database: db } = test;
    const rows = [person(1), person(2), person(3)];
    const outcomes = await Promise.all([people(db, ...rows), people(db, ...rows), people(db, ...rows)]);
    expect(outcomes.flat().filter((outcome) => outcome === 'added')).toHaveLength(3);
    const found = await db.select({ id: db.tables.members.id }).from(db.tables.members);
    expect(found).toHaveLength(3);
  });
});
