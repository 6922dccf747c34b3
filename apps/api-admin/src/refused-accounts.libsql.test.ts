// @module-tag slow

import { randomId, sha256Hex } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setAccountOwner, shutAccount } from '@gatehouse/db/queries/change-accounts';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { setPersonnelGrant } from '@gatehouse/db/queries/personnel-grants';
import { findAccount } from '@gatehouse/db/queries/read-accounts';
import { deleteOwnMember } from '@gatehouse/db/queries/remove-member';
import { PLATFORM } from '@gatehouse/db/queries/sso-connections';
import { insertSsoRun } from '@gatehouse/db/queries/sso-runs';
import { DEPLOYMENT, scopeOfPartner } from '@gatehouse/features/endpoint/endpoint-scope';
import { insertTestEndpoint } from '@gatehouse/features/test/insert-test-endpoint';
import { insertTestApplication } from '@gatehouse/features/test/test-applications';
import { insertTestSso, insertTestSubject } from '@gatehouse/features/test/test-sso';
import { type RefusedCall, walkRefusedAccounts } from '@gatehouse/features/test/walk-refused-accounts';
import { writeProgram } from '@gatehouse/features/test/write-program';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import type { Rule } from '@gatehouse/http/trpc/procedure-rule';
import { billingEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import {
  createTestFolder,
  type GuardedCall,
  insertTestMember,
  startAccessWorld,
  unsettled,
} from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { createApp } from './app.js';
import { router } from './router.js';
import { CHANGES_OF_STAFF, GUARDED_CALLS } from './test/guarded-calls.js';

const DAY_MS = 86_400_000;
const reason = 'They asked for it';

type Make = GuardedCall['make'];
type Scene = Parameters<Make>[0];

/** Gives the scene's account to its subject, and closes it with them. */
async function closeWithSubject({ db, accountId, subject }: Scene): Promise<void> {
  const nowMs = Date.now();
  const erasesAtMs = nowMs + DAY_MS;
  await changeAccess(db, { members: [subject.id], accounts: [accountId] }, async (tx) => {
    await setMembership(tx, { memberId: subject.id, accountId, roleType: 1, nowMs });
    await setAccountOwner(tx, { accountId, ownerId: subject.id, expectedOwnerId: 1, nowMs });
    const closing = { closedById: subject.id, closedWithMemberId: subject.id };
    await shutAccount(tx, { accountId, ...closing, erasesAtMs, nowMs });
    await deleteOwnMember(tx, { memberId: subject.id, erasesAtMs, nowMs });
  });
}

/** More calls of one procedure than `GUARDED_CALLS` has, which reach the account in another way. */
const OTHER_WAYS: readonly RefusedCall[] = [
  {
    name: 'member.remove',
    call: {
      as: 'root',
      make: async ({ db, accountId, subject }) => {
        const nowMs = Date.now();
        await changeAccess(db, { members: [subject.id], accounts: [accountId] }, async (tx) => {
          await setMembership(tx, { memberId: subject.id, accountId, roleType: 1, nowMs });
          await setAccountOwner(tx, { accountId, ownerId: subject.id, expectedOwnerId: 1, nowMs });
        });
        await insertTestMember(db, { memberships: { [accountId]: 5 } });
        return { input: { memberId: subject.id, closeAccounts: true } };
      },
    },
  },
  {
    name: 'member.restore',
    call: {
      as: 'root',
      make: async (scene) => {
        await closeWithSubject(scene);
        return { input: { memberId: scene.subject.id, reason } };
      },
    },
  },
  { name: 'webhook.replay', call: { as: 'root', make: (scene) => insertDelivery(scene) } },
  {
    name: 'personnel.save',
    call: {
      as: 'root',
      make: ({ accountId }) => {
        const person = { email: `${randomId()}@many.test`, firstName: 'New', lastName: 'Colleague' };
        return { input: { ...person, roleType: 6, accountIds: [accountId] } };
      },
    },
  },
  {
    name: 'personnel.save',
    call: {
      as: 'root',
      make: async ({ db, accountId }) => {
        const { id } = await insertTestMember(db, { roleType: 6, isPersonnel: true });
        await changeAccess(db, { members: [id] }, (tx) =>
          setPersonnelGrant(unsettled(tx), { personnelId: id, accountId, nowMs: Date.now() }),
        );
        return { input: { personnelId: id, accountIds: [] } };
      },
    },
  },
];

/** A delivery of a payment provider about the scene's account. */
async function insertDelivery({ db, accountId }: Scene): Promise<{ input: { id: number } }> {
  const id = await db.insert(db.tables.webhookLog, {
    provider: 'stripe',
    endpoint: 'stripe',
    eventId: randomId(),
    dedupeKey: randomId(),
    type: 'test',
    body: JSON.stringify({ account: await nameOf({ db, accountId }) }),
    bodyBytes: 2,
    digest: randomId(32),
    status: 'ignored',
    address: '127.0.0.1',
    accountId,
    receivedAtMs: Date.now(),
  });
  return { input: { id } };
}

async function nameOf({ db, accountId }: Pick<Scene, 'db' | 'accountId'>): Promise<string> {
  return (await findAccount(db, accountId))?.name ?? '';
}

async function insertTestAffiliate({ db, subject }: Scene): Promise<{ input: { affiliateId: number } }> {
  const nowMs = Date.now();
  await db.insert(db.tables.affiliates, {
    memberId: subject.id,
    code: randomId(),
    codeKey: randomId(),
    commissionBasisPoints: 500,
    payoutEmail: 'payout@many.test',
    createdAtMs: nowMs,
    updatedAtMs: nowMs,
  });
  return { input: { affiliateId: subject.id } };
}

/** The inputs of procedures that only read. */
const INPUTS: Readonly<Record<string, Make>> = {
  'access.explain': ({ subject, accountId }) => ({ input: { memberId: subject.id, accountId } }),
  'account.members': ({ caller }) => ({ input: { ownerId: caller.id } }),
  'account.page': ({ accountId }) => ({ input: { accountId } }),
  'account.search': () => ({ input: { search: 'account' } }),
  'affiliate.marketingUrl': insertTestAffiliate,
  'affiliate.referrals': insertTestAffiliate,
  'affiliate.search': () => ({ input: { search: 'a' } }),
  'audit.list': ({ accountId }) => ({ input: { accountId } }),
  'eventDelivery.detail': async ({ db, service }) => {
    const { deliveryId } = await insertTestEndpoint(db, service.services, DEPLOYMENT);
    return { input: { deliveryId } };
  },
  'partnerEvent.deliveryDetail': async ({ db, service, partner }) => {
    const { deliveryId } = await insertTestEndpoint(db, service.services, scopeOfPartner(partner.id));
    return { input: { partnerId: partner.id, deliveryId } };
  },
  'partnerEvent.listDeliveries': ({ partner }) => ({ input: { partnerId: partner.id } }),
  'partnerEvent.listEndpoints': ({ partner }) => ({ input: { partnerId: partner.id } }),
  'member.byForeignId': async ({ db, subject }) => {
    const known = { kind: 'member', source: 'auth0', foreignId: `of-${subject.id}` } as const;
    await db.insert(db.tables.foreignIds, { ...known, memberId: subject.id, createdAtMs: 1 });
    return { input: { source: 'auth0', id: known.foreignId } };
  },
  'member.export': ({ subject }) => ({ input: { memberId: subject.id, reason } }),
  'member.page': ({ subject }) => ({ input: { memberId: subject.id } }),
  'member.search': () => ({ input: { search: 'm' } }),
  'platformApp.connected': ({ accountId }) => ({ input: { accountId } }),
  'platformSso.detail': ({ accountId }) => ({ input: { accountId } }),
  'platformSso.list': async ({ db, accountId, caller }) => {
    await insertTestSso(db, { accountId, createdById: caller.id });
    return { input: {} };
  },
  'platformSso.listFor': async ({ db, accountId, caller, subject }) => {
    await insertTestSubject(db, { accountId, createdById: caller.id, memberId: subject.id });
    return { input: { memberId: subject.id } };
  },
  'platformApp.detail': async ({ db, accountId, caller }) => {
    const { applicationId } = await insertTestApplication(db, { accountId, createdById: caller.id });
    return { input: { accountId, applicationId } };
  },
  'personnel.detail': ({ caller }) => ({ input: { personnelId: caller.id } }),
  'personnel.searchManagers': () => ({ input: { search: 'm' } }),
  'securityEvent.listFor': ({ subject }) => ({ input: { memberId: subject.id } }),
  'service.statistics': () => ({
    input: { from: new Date(Date.now() - DAY_MS).toISOString(), until: new Date().toISOString() },
  }),
  'session.listFor': ({ subject }) => ({ input: { memberId: subject.id } }),
  'staffSso.testResult': async ({ db, caller }) => {
    const of = { accountId: PLATFORM, createdById: caller.id };
    const { id: connectionId } = await insertTestSso(db, of);
    const testId = await insertSsoRun(db, {
      purpose: 'test',
      connectionId,
      accountId: PLATFORM,
      version: 1,
      memberId: caller.id,
      codeKey: sha256Hex(randomId()),
      payload: null,
      createdAtMs: Date.now(),
      expiresAtMs: Date.now() + 900_000,
    });
    return { input: { testId } };
  },
  'webhook.detail': insertDelivery,
};

/** With the account selected and, where that is possible, without. */
function kindsOf(rule: Rule): readonly GuardedCall['as'][] {
  if (rule.who !== 'account') return ['manager', 'root'];
  return rule.staffWithoutAccount || rule.staffOnly ? ['manager', 'root'] : ['owner'];
}

const calls: RefusedCall[] = [
  ...[...Object.entries(GUARDED_CALLS), ...Object.entries(CHANGES_OF_STAFF)].flatMap(([name, call]) =>
    call.type === 'query' ? [] : [{ name, call }],
  ),
  ...OTHER_WAYS,
  ...listProcedures(router).flatMap(({ name, type, rule }) => {
    if (type !== 'query' || rule === undefined || ['anyone', 'authToken', 'bearer'].includes(rule.who))
      return [];
    const call = { type, isConfirmed: true, make: INPUTS[name] ?? (() => ({ input: {} })) } as const;
    return kindsOf(rule).map((as) => ({ name, call: { as, ...call } }));
  }),
];

/** They report the state of their member, and nothing of the member's accounts. */
const ABOUT_THE_MEMBER = [
  'member.byForeignId',
  'member.export',
  'member.page',
  'member.restore',
  'personnel.promote',
];

it('no procedure lets staff read or change an account that requires a higher level than their session has', {
  timeout: 300_000,
}, async () => {
  await using folder = await createTestFolder();
  const program = await writeProgram(folder.path, 'analysis', 'console.log("[]")');
  await using simulator = await startProviderSimulator();
  await using world = await startAccessWorld(createApp, {
    dialect: inject('dialect'),
    application: 'admin',
    env: {
      ANALYSIS_PROGRAM: program,
      GOOGLE_CLIENT_ID: 'client',
      GOOGLE_CLIENT_SECRET: 'google-secret',
      ...billingEnvironment(simulator.url),
    },
  });
  const walked = await walkRefusedAccounts(world, calls, 2);
  const served = new Set(walked.flatMap(({ opened }) => (opened.status === 200 ? [opened.name] : [])));
  expect(calls.filter(({ name }) => !served.has(name))).toEqual([]);
  const undocumented = walked.flatMap(({ refused: { name, undocumented: code } }) =>
    code === undefined ? [] : [[name, code]],
  );
  expect(undocumented).toEqual([]);
  const touching = walked.filter(({ opened }) => opened.changes.length + opened.tells.length > 0);
  const wrong = touching.flatMap(({ refused: { name, as, status, changes, tells } }) => {
    // Every member sees what their own accounts require.
    const told = name === 'session.me' ? ['account'] : ABOUT_THE_MEMBER.includes(name) ? ['member'] : [];
    const effects = [...changes, ...tells.filter((what) => !told.includes(what))];
    return effects.length > 0 ? [{ name, as, status, effects }] : [];
  });
  expect(wrong).toEqual([]);
  const names = touching.map(({ opened }) => opened.name);
  for (const name of ['account.remove', 'account.restore', 'account.transferOwnership', 'member.export'])
    expect(names).toContain(name);
});
