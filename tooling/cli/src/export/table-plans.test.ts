import { listColumns } from '@gatehouse/db/queries/list-columns';
import { createTestDatabase } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { NOT_EXPORTED, TABLE_PLANS, type TableName } from './table-plans.js';

/** Columns whose name sounds like a secret, and why they are not. */
const NO_SECRETS: Readonly<Record<string, string>> = {
  'members.passwordChangedAtMs': 'says when',
  'members.passkeyUserId': 'is a name in passkeys',
  'passkeys.credentialKey': 'is a digest of what browsers are sent',
  'passkeys.publicKey': 'is public',
  'socialConnections.tokenStatus': 'says whether the provider takes a token',
  'webhookLog.digest': 'is a digest of the body, which is beside it',
  'webhookLog.dedupeKey': 'is the id of an event',
  'billingCheckouts.attemptKey': 'makes a request to the provider come once',
  'loginFamiliarity.originKey': 'is a digest of a network and a member',
  'securityEvents.mergeKey': 'names a minute and an address',
  'deletionRequests.code': 'is in a public address',
  'affiliates.code': 'is public',
  'auditLog.keyId': 'is an id',
  'scimRequests.tokenId': 'is an id',
  'ssoConnections.key': 'is in public addresses',
  'ssoSubjects.subjectKey': 'is a digest of what is beside it',
  'scimGroups.displayNameKey': 'is the name in lower case',
  'resources.applicationTokens': 'says of which form they are',
};

const SOUNDS_SECRET = /secret|token|password|digest|private|code$|key(?!s)/i;

/** Texts by which rows are compared and found. */
const COMPARED =
  /\.(?:sid|username|firstName|lastName|email|pendingEmail|name|code|open)Key$|^recoveries\.openKey$/;

it('every table is exported, or has a reason why not', async () => {
  await using own = await createTestDatabase('libsql');
  const known = [...TABLE_PLANS.keys(), ...NOT_EXPORTED.keys()];
  expect(known.toSorted()).toEqual(Object.keys(own.database.tables).toSorted());
});

it('every column that sounds like a secret is one, or is listed as none', () => {
  const columnsOf = (table: TableName) => listColumns(table).map(({ name }) => name);
  const sounding = [...TABLE_PLANS].flatMap(([table, { secrets = {}, leftOut = {} }]) =>
    columnsOf(table)
      .filter((name) => !Object.hasOwn(secrets, name) && !Object.hasOwn(leftOut, name))
      .filter((name) => SOUNDS_SECRET.test(name))
      .map((name) => `${table}.${name}`),
  );
  const unknown = sounding.filter((name) => !COMPARED.test(name) && !Object.hasOwn(NO_SECRETS, name));
  expect(unknown, 'make these secrets in table-plans.ts, or list them in NO_SECRETS of this test').toEqual(
    [],
  );
  for (const name of Object.keys(NO_SECRETS)) expect(sounding).toContain(name);
});
