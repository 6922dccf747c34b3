import { unsettled } from '@gatehouse/testkit';
import { createTestDatabase } from '@gatehouse/testkit/database';
import { expect, inject, it } from 'vitest';
import { changeAccess } from './change-access.js';
import { createImportForecast } from './create-import-forecast.js';
import { importAccounts, importGrants, importMemberships, importSubscriptions } from './import-accounts.js';
import { type ImportedMember, importMembers } from './import-members.js';

const at = { createdAtMs: 1, updatedAtMs: 1 };

const flags = { isDeleted: false, active: true, ...at };

const person = (
  id: number,
  more: Partial<ImportedMember> = {},
): ImportedMember & { emailKey: string | null } => ({
  id,
  sid: `m${id}@old.test`,
  sidKey: `m${id}@old.test`,
  username: `m${id}`,
  usernameKey: `m${id}`,
  firstName: '',
  firstNameKey: '',
  lastName: '',
  lastNameKey: '',
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

const membership = (memberId: number, accountId: number) => ({ memberId, accountId, roleType: 5, ...flags });

const grant = (personnelId: number, accountId: number) => ({ personnelId, accountId, ...flags });

const subscription = (accountId: number) => ({
  accountId,
  state: 'active' as const,
  trialEndsAtMs: null,
  provider: null,
  providerCustomerId: null,
  providerSubscriptionId: null,
  ...at,
});

it('an import forecast predicts for every row what the import does, with existing rows and rows of the same file', async () => {
  await using test = await createTestDatabase(inject('dialect'));
  const { database: db } = test;
  const there = [
    person(1, { emailKey: 'one@old.test', email: 'one@old.test' }),
    person(2, { isPersonnel: true, hasPassword: false }),
    person(16, { isPersonnel: true }),
  ];
  await changeAccess(db, { members: [1, 2, 16] }, async (tx) => {
    await importMembers(tx, there);
    await importAccounts(tx, [account(1, 1)]);
    await importMemberships(tx, [membership(1, 1)], 1);
    await importGrants(unsettled(tx), [grant(2, 1)]);
    await importSubscriptions(tx, [subscription(1)]);
  });

  const members = [
    person(1),
    person(2, { sidKey: 'other' }),
    person(3, { sidKey: 'm1@old.test' }),
    person(4, { usernameKey: 'm2' }),
    person(5, { emailKey: 'one@old.test' }),
    person(6, { isPersonnel: true, hasPassword: false, emailKey: 'six@old.test' }),
    person(6),
    person(6, { sidKey: 'other' }),
    person(7, { emailKey: 'six@old.test' }),
    person(8, { usernameKey: 'm6' }),
    person(9),
    person(10, { sidKey: 'one@old.test' }),
    person(11, { emailKey: 'm1@old.test' }),
    person(12, { sidKey: 'six@old.test' }),
    person(13, { emailKey: 'm9@old.test' }),
    person(14, { emailKey: 'm14@old.test' }),
  ];
  const accounts = [account(1, 1), account(1, 2), account(2, 6), account(2, 6), account(2, 9), account(3, 3)];
  const memberships = [
    membership(1, 1),
    membership(6, 2),
    membership(6, 2),
    membership(3, 1),
    membership(9, 3),
  ];
  const grants = [grant(2, 1), grant(16, 1), grant(6, 2), grant(6, 2), grant(9, 1), grant(6, 3)];
  const subscriptions = [subscription(1), subscription(2), subscription(2), subscription(3)];

  const forecast = createImportForecast(db);
  const foretold = {
    members: await forecast.members(members.map((row) => ({ ...row, isOwned: true }))),
    accounts: await forecast.accounts(accounts),
    memberships: await forecast.memberships(memberships),
    grants: await forecast.grants(grants),
    subscriptions: await forecast.subscriptions(subscriptions),
  };
  expect(await db.select().from(db.tables.members)).toHaveLength(3);
  const done = await changeAccess(db, { members: members.map(({ id }) => id) }, async (tx) => ({
    members: await importMembers(tx, members),
    accounts: await importAccounts(tx, accounts),
    memberships: await importMemberships(tx, memberships, 1),
    grants: await importGrants(unsettled(tx), grants),
    subscriptions: await importSubscriptions(tx, subscriptions),
  }));
  expect(foretold).toEqual(done);
  expect(foretold.members).toEqual([
    'there',
    { problem: 'member 2 is there already, with another login identifier' },
    { problem: 'member 1 has this login identifier' },
    { problem: 'member 2 has this username, or one that looks like it' },
    { problem: 'member 1 has this e-mail address' },
    'added',
    'there',
    { problem: 'member 6 is there already, with another login identifier' },
    { problem: 'member 6 has this e-mail address' },
    { problem: 'member 6 has this username, or one that looks like it' },
    'added',
    { problem: 'this login identifier is the e-mail address of member 1' },
    { problem: 'this e-mail address is the login identifier of member 1' },
    { problem: 'this login identifier is the e-mail address of member 6' },
    { problem: 'this e-mail address is the login identifier of member 9' },
    'added',
  ]);
  expect(foretold.grants[1]).toEqual({
    problem: 'nobody has proven the address of member 16: switch them off and on again as staff first',
  });
});
