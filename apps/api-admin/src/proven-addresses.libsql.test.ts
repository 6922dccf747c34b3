// @module-tag slow

import {
  type AddressRules,
  addressRules,
  callsOf,
  walkAddresses,
} from '@gatehouse/features/test/walk-addresses';
import { writeProgram } from '@gatehouse/features/test/write-program';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { billingEnvironment, startProviderSimulator } from '@gatehouse/simulator';
import { createTestFolder, startAccessWorld } from '@gatehouse/testkit';
import { expect, inject, it } from 'vitest';
import { createApp } from './app.js';
import { router } from './router.js';
import { CHANGES_OF_STAFF, GUARDED_CALLS } from './test/guarded-calls.js';

/** A refusal, and a mail that proves the address. */
const REFUSED = '403 unconfirmed signInCode';

/** Procedures that need a proven address, and the outcome if the address was only clicked. */
const PROVEN_ALONE: AddressRules['provenAlone'] = {
  'account.transferOwnership, subject': '403 unconfirmed',
  'invitation.create, role 0, caller': REFUSED,
  'invitation.create, role 1, caller': REFUSED,
  'passkey.add, caller': '403 proof_required',
  // Everything that signs in to the member ends, and the mailbox gets an invitation.
  'personnel.promote, subject': '200 staffInvitation emailVerified true',
  'totp.confirm, caller': '403 proof_required',
};

/** Procedures for which a click is enough. */
const CLICKED = [
  // To a role below that of an owner.
  'invitation.create, caller',
  // Staff have checked their identity, and a mail announces it a day before.
  'recovery.open, subject',
  'registration.resendConfirmation, caller',
];

/** They take a challenge, an application or an id of another system, or are about no member. */
const UNREACHED = [
  'affiliate.marketingUrl',
  'affiliate.referrals',
  'eventDelivery.detail',
  'health.bearer',
  'login.bearer',
  'login.web',
  'member.byForeignId',
  'partnerEvent.deliveryDetail',
  'partnerEvent.listDeliveries',
  'partnerEvent.listEndpoints',
  'platformApp.detail',
  'recovery.cancelMine',
  'service.statistics',
  'session.byAuthToken',
  'signIn.passkey',
  'signIn.password',
  'signIn.step',
  'signIn.stepEmail',
  'signIn.stepOptions',
  'signIn.token',
  'staffSso.list',
  'staffSso.testResult',
  'webhook.detail',
];

it('no staff procedure that needs a proven address accepts one that was only confirmed by a click', {
  timeout: 600_000,
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
  const given = [
    ...Object.entries(GUARDED_CALLS).map(([name, call]) => ({ name, call })),
    ...Object.entries(CHANGES_OF_STAFF).map(([name, call]) => ({ name, way: 'of another', call })),
  ];
  const walked = await walkAddresses(world, callsOf(listProcedures(router), given));
  const { provenAlone, clicked, unreached } = addressRules(walked);
  expect(provenAlone, 'only members with a proven address may call these').toEqual(PROVEN_ALONE);
  expect(clicked, 'members with a confirmed address may call these, proven or not').toEqual(CLICKED);
  const advice = 'give the walk calls that these serve, or list them in UNREACHED of this test';
  expect(unreached, advice).toEqual(UNREACHED);
  const authorized = walked.filter(({ place }) => place in PROVEN_ALONE);
  expect(authorized.filter(({ proven }) => !proven.startsWith('200'))).toEqual([]);
});
