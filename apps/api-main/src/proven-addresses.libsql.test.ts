// @module-tag slow

import { randomId } from '@gatehouse/auth-core';
import { changeAccess } from '@gatehouse/db/queries/change-access';
import { setMembership } from '@gatehouse/db/queries/memberships';
import { changeColumn } from '@gatehouse/features/test/change-column';
import { insertTestAccount, insertTestInvitation, linkOf } from '@gatehouse/features/test/invitations';
import {
  type AddressCall,
  type AddressRules,
  addressRules,
  callsOf,
  walkAddresses,
} from '@gatehouse/features/test/walk-addresses';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { billingEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { type GuardedCall, insertTestMember, startAccessWorld } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { createApp } from './app.js';
import { router } from './router.js';
import { GUARDED_CALLS } from './test/guarded-calls.js';

type Make = GuardedCall['make'];
type Scene = Parameters<Make>[0];

async function insertInvitationTo({ db, caller }: Scene): Promise<number> {
  const accountId = await insertTestAccount(db);
  const inviter = await insertTestMember(db, { memberships: { [accountId]: 1 } });
  return insertTestInvitation(db, { accountId, inviterId: inviter.id, email: caller.email });
}

/** More calls of one procedure than `GUARDED_CALLS` has. */
const OTHER_WAYS: readonly AddressCall[] = [
  {
    name: 'invitation.accept',
    way: 'by link',
    call: {
      as: 'member',
      make: async (scene) => ({
        input: {
          token: await linkOf({ ...scene.service, database: scene.db }, await insertInvitationTo(scene)),
        },
      }),
    },
  },
  ...(['preview', 'join', 'decline'] as const).map((name) => ({
    name: `invitation.${name}`,
    call: {
      as: 'member' as const,
      make: async (scene: Scene) => {
        const { db, service, caller } = scene;
        const accountId = await insertTestAccount(db, caller.id);
        const id = await insertTestInvitation(db, { accountId, inviterId: caller.id });
        await changeAccess(db, { members: [caller.id] }, (tx) =>
          setMembership(tx, { memberId: caller.id, accountId, roleType: 1, nowMs: Date.now() }),
        );
        const person = name === 'join' ? { username: randomId(), password: 'Copper-Meadow-17' } : {};
        return { input: { token: await linkOf({ ...service, database: db }, id), ...person } };
      },
    },
  })),
  {
    name: 'invitation.decline',
    way: 'by number',
    call: {
      as: 'member',
      make: async (scene) => ({ input: { invitationId: await insertInvitationTo(scene) } }),
    },
  },
  {
    name: 'invitation.listMine',
    call: {
      as: 'member',
      make: async (scene) => {
        await insertInvitationTo(scene);
        return { input: {} };
      },
    },
  },
  {
    name: 'invitation.resend',
    way: 'to an owner',
    call: {
      as: 'owner',
      make: async ({ db, accountId, subject }) => {
        await changeAccess(db, { members: [subject.id] }, (tx) =>
          setMembership(tx, { memberId: subject.id, accountId, roleType: 1, nowMs: Date.now() }),
        );
        const invitationId = await insertTestInvitation(db, { accountId, inviterId: subject.id });
        await changeColumn(db, { table: 'invitations', column: 'role_type', id: invitationId }, 1);
        return { input: { invitationId } };
      },
    },
  },
  {
    name: 'member.deleteOwn',
    way: 'transfer',
    call: {
      as: 'owner',
      make: ({ accountId, subject }) => ({
        input: { accounts: [{ accountId, action: 'transfer', memberId: subject.id }] },
      }),
    },
  },
];

/** Refused, and a mail that proves the address. */
const REFUSED = '403 unconfirmed signInCode';

/** Procedures that need a proven address, and the outcome if the address was only clicked. */
const PROVEN_ALONE: AddressRules['provenAlone'] = {
  'account.transferOwnership, subject': '403 unconfirmed',
  'invitation.accept, by link, caller': REFUSED,
  'invitation.accept, caller': REFUSED,
  'invitation.create, role 0, caller': REFUSED,
  'invitation.create, role 1, caller': REFUSED,
  'invitation.decline, by number, caller': '404 not_found',
  'invitation.listMine, caller': '200 no rows',
  'key.create, caller': REFUSED,
  'key.rotate, caller': REFUSED,
  // The address is free at once, and no link restores the member.
  'member.deleteOwn, caller': '200',
  'member.deleteOwn, transfer, caller': '200 ownershipMoved',
  'member.deleteOwn, transfer, subject': '403 unconfirmed',
  'membership.changeRole, role 0, caller': REFUSED,
  'membership.changeRole, role 1, caller': REFUSED,
  'partner.signIn, caller': '200 emailVerified false',
  'passkey.add, caller': '403 proof_required',
  'scim.addToken, caller': REFUSED,
  'totp.confirm, caller': '403 proof_required',
};

/** Procedures for which a click is enough, because they reach nobody else. */
const CLICKED = [
  // Another account besides the one that every registration opens.
  'account.create, caller',
  // The present mailbox has to agree too.
  'email.change, caller',
  // To a role below that of an owner.
  'invitation.create, caller',
  // The inviter gets a mail.
  'invitation.join, caller',
  'password.set, caller',
  'registration.resendConfirmation, caller',
];

/** They take a one-use link, code or challenge, a partner, an application or a delivery, and not a member with an address. */
const UNREACHED = [
  'app.detail',
  'email.approvalDetails',
  'email.approve',
  'eventDelivery.detail',
  'health.bearer',
  'impersonation.details',
  'impersonation.open',
  'key.reportLeaked',
  'login.designer',
  'login.oneTimePassword',
  'member.restorationDetails',
  'member.restoreOwn',
  'partner.authenticate',
  'password.reset',
  'recovery.cancelMine',
  'registration.confirm',
  'registration.confirmationDetails',
  'registration.register',
  'signIn.email',
  'signIn.passkey',
  'signIn.step',
  'signIn.stepEmail',
  'signIn.stepOptions',
  'signIn.token',
  'sso.testResult',
];

it('no procedure that needs a proven address accepts one that was only confirmed by a click', {
  timeout: 600_000,
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
  const given = Object.entries(GUARDED_CALLS).map(([name, call]) => ({ name, call }));
  const calls = callsOf(listProcedures(router), [...given, ...OTHER_WAYS]);
  const walked = await walkAddresses(world, calls);
  const { provenAlone, clicked, unreached } = addressRules(walked);
  expect(provenAlone, 'only members with a proven address may call these').toEqual(PROVEN_ALONE);
  expect(clicked, 'members with a confirmed address may call these, proven or not').toEqual(CLICKED);
  const advice = 'give the walk calls that these serve, or list them in UNREACHED of this test';
  expect(unreached, advice).toEqual(UNREACHED);
  const authorized = walked.filter(({ place }) => place in PROVEN_ALONE);
  expect(authorized.filter(({ proven }) => !proven.startsWith('200'))).toEqual([]);
  expect(authorized.filter((each) => each.unconfirmed !== each.clicked)).toEqual([]);
});
