// @module-tag slow

import { randomId, sha256Hex } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setAccountOwner, shutAccount } from '@gatehouse/db/queries/change-accounts';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { insertSsoRun } from '@gatehouse/db/queries/sso-runs';
import { scopeOf } from '@gatehouse/features/endpoint/endpoint-scope';
import { insertTestEndpoint } from '@gatehouse/features/test/insert-test-endpoint';
import { confirmTestMember, insertTestInvitation } from '@gatehouse/features/test/invitations';
import { insertTestApplication } from '@gatehouse/features/test/test-applications';
import { insertTestSso } from '@gatehouse/features/test/test-sso';
import { type RefusedCall, walkRefusedAccounts } from '@gatehouse/features/test/walk-refused-accounts';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { billingEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { type GuardedCall, startAccessWorld } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { createApp } from './app.js';
import { router } from './router.js';
import { GUARDED_CALLS } from './test/guarded-calls.js';

const DAY_MS = 86_400_000;

/**
 * Procedures that stay possible at any level: joining, declining, leaving, being deleted if nothing closes, and creating an
 * account.
 */
const AT_ANY_LEVEL: Readonly<Record<string, readonly string[]>> = {
  'account.create': ['accounts', 'memberships', 'subscriptions', 'audit'],
  'invitation.accept': ['accounts', 'memberships', 'invitations', 'audit'],
  'invitation.decline': ['accounts', 'invitations', 'audit'],
  'member.deleteOwn': ['memberships'],
  'membership.leave': ['accounts', 'memberships', 'audit'],
};

/** Procedures that tell the caller about accounts that refuse the session, so that they can reach the level: only the name. */
const NAMES_THE_ACCOUNT = ['session.me'];

/** More calls of one procedure than `GUARDED_CALLS` has, which reach the account in another way. */
const OTHER_WAYS: readonly RefusedCall[] = [
  ...(['close', 'transfer'] as const).map((action) => ({
    name: 'member.deleteOwn',
    call: {
      as: 'owner' as const,
      isConfirmed: true as const,
      make: ({ accountId, subject }: Parameters<GuardedCall['make']>[0]) => ({
        input: {
          accounts: [
            action === 'close' ? { accountId, action } : { accountId, action, memberId: subject.id },
          ],
        },
      }),
    },
  })),
  {
    name: 'account.restore',
    call: {
      as: 'member',
      make: async ({ db, accountId, caller }) => {
        const nowMs = Date.now();
        await changeAccess(db, { members: [caller.id], accounts: [accountId] }, async (tx) => {
          await setMembership(tx, { memberId: caller.id, accountId, roleType: 1, nowMs });
          await setAccountOwner(tx, { accountId, ownerId: caller.id, expectedOwnerId: 1, nowMs });
          await shutAccount(tx, { accountId, closedById: caller.id, erasesAtMs: nowMs + DAY_MS, nowMs });
        });
        return { input: { accountId } };
      },
    },
  },
  {
    name: 'invitation.decline',
    call: {
      as: 'member',
      make: async ({ db, caller, accountId }) => {
        await confirmTestMember(db, caller);
        const { email } = caller;
        const invitationId = await insertTestInvitation(db, { accountId, inviterId: 1, email });
        return { input: { invitationId } };
      },
    },
  },
];

/** The inputs of procedures that only read. */
const INPUTS: Readonly<Record<string, GuardedCall['make']>> = {
  'account.search': () => ({ input: { search: 'account' } }),
  'app.detail': async ({ db, accountId, caller }) => {
    const { applicationId } = await insertTestApplication(db, { accountId, createdById: caller.id });
    return { input: { applicationId } };
  },
  'conversation.messages': async ({ db, accountId, caller }) => {
    const talks = await db.select().from(db.tables.conversations);
    const conversationId = talks.find((talk) => talk.accountId === accountId)?.id ?? 0;
    return { input: { memberId: caller.id, conversationId } };
  },
  'eventDelivery.detail': async ({ db, service, accountId }) => {
    const { deliveryId } = await insertTestEndpoint(db, service.services, scopeOf(accountId));
    return { input: { deliveryId } };
  },
  'member.detail': ({ subject }) => ({ input: { userId: subject.id } }),
  'member.search': () => ({ input: { username: 'm' } }),
  'sso.testResult': async ({ db, accountId, caller }) => {
    const { id: connectionId } = await insertTestSso(db, { accountId, createdById: caller.id });
    const run = { purpose: 'test', connectionId, accountId, version: 1, memberId: caller.id } as const;
    const testId = await insertSsoRun(db, {
      ...run,
      codeKey: sha256Hex(randomId()),
      payload: null,
      createdAtMs: Date.now(),
      expiresAtMs: Date.now() + 900_000,
    });
    return { input: { testId } };
  },
  'subscription.list': () => ({ input: {} }),
};

const calls: RefusedCall[] = [
  ...Object.entries(GUARDED_CALLS).flatMap(([name, call]) =>
    call.as === 'partner' || call.type === 'query' ? [] : [{ name, call }],
  ),
  ...OTHER_WAYS,
  ...listProcedures(router).flatMap(({ name, type, rule }) => {
    if (type !== 'query' || (rule?.who !== 'member' && rule?.who !== 'account')) return [];
    const make = INPUTS[name] ?? (() => ({ input: {} }));
    const call = { type, isConfirmed: true, make } as const;
    // With the account selected and, where that is possible, without one.
    const kinds = rule.who === 'member' ? (['owner', 'member'] as const) : (['owner'] as const);
    return kinds.map((as) => ({ name, call: { as, ...call } }));
  }),
];

it('no procedure reads or changes an account that requires a higher level than the session has', {
  timeout: 300_000,
}, async () => {
  await using simulator = await startProviderSimulator();
  await using world = await startAccessWorld(createApp, {
    dialect: inject('dialect'),
    application: 'web',
    env: {
      GOOGLE_CLIENT_ID: 'client',
      GOOGLE_CLIENT_SECRET: 'google-secret',
      ...billingEnvironment(simulator.url),
    },
  });
  const walked = await walkRefusedAccounts(world, calls, 2);
  expect(walked.map(({ opened: { name, status } }) => [name, status])).toEqual(
    walked.map(({ opened: { name } }) => [name, 200]),
  );
  const undocumented = walked.flatMap(({ refused: { name, undocumented: code } }) =>
    code === undefined ? [] : [[name, code]],
  );
  expect(undocumented).toEqual([]);
  const touching = walked.filter(({ opened }) => opened.changes.length + opened.tells.length > 0);
  const wrong = touching.flatMap(({ refused: { name, status, changes, tells } }) => {
    const told = NAMES_THE_ACCOUNT.includes(name) ? ['account'] : [];
    const effects = [
      ...changes.filter((table) => !AT_ANY_LEVEL[name]?.includes(table)),
      ...tells.filter((what) => !told.includes(what)),
    ];
    return effects.length > 0 ? [{ name, status, effects }] : [];
  });
  expect(wrong).toEqual([]);
  const names = touching.map(({ opened }) => opened.name);
  expect(names).toEqual(expect.arrayContaining([...Object.keys(AT_ANY_LEVEL), ...NAMES_THE_ACCOUNT]));
});
