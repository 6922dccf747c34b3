import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { describe, expect, it } from 'vitest';
import { router } from './router.js';

/** Required of every caller. */
const ALWAYS = [
  'account.transferOwnership',
  'accountPolicy.set',
  'eventDelivery.redeliver',
  'eventEndpoint.remove',
  'eventEndpoint.resume',
  'eventEndpoint.rotateSecret',
  'eventEndpoint.save',
  'eventEndpoint.test',
  'factor.newBackupCodes',
  'factor.switch',
  'impersonation.start',
  'key.create',
  'key.revoke',
  'key.rotate',
  'machine.remove',
  'machine.save',
  'member.ban',
  'partner.deactivate',
  'partner.endLink',
  'partner.finishRotation',
  'partner.rotateSecret',
  'partner.save',
  'partnerEvent.redeliver',
  'partnerEvent.removeEndpoint',
  'partnerEvent.resumeEndpoint',
  'partnerEvent.rotateSecret',
  'partnerEvent.saveEndpoint',
  'partnerEvent.testEndpoint',
  'passkey.add',
  'passkey.addOptions',
  'passkey.remove',
  'personnel.reinvite',
  'platformApp.addSecret',
  'platformApp.block',
  'platformApp.blockHost',
  'platformApp.remove',
  'platformApp.removeSecret',
  'platformApp.save',
  'recovery.approve',
  'recovery.open',
  'resource.remove',
  'resource.save',
  'session.endFor',
  'social.connect',
  'social.finish',
  'staffSso.activate',
  'staffSso.remove',
  'staffSso.saveOidc',
  'staffSso.saveSaml',
  'staffSso.test',
  'totp.remove',
  'totp.start',
];
/** Required of callers who sign in in two steps. */
const IN_TWO_STEPS = [
  'account.remove',
  'member.remove',
  'personnel.promote',
  'personnel.save',
  'session.issueAuthToken',
  'social.remove',
];

describe('the procedures of the admin service that require a recent verification', () => {
  it('are those listed here, and recent means within ten minutes', () => {
    const fresh = listProcedures(router).flatMap(({ name, rule }) =>
      rule && 'fresh' in rule && rule.fresh ? [{ name, fresh: rule.fresh }] : [],
    );
    const named = (only: boolean) =>
      fresh
        .filter((each) => (each.fresh.onlyWithSecondFactor === true) === only)
        .map(({ name }) => name)
        .toSorted();
    expect(named(false), 'those with `fresh: FRESH` are in ALWAYS, sorted').toEqual(ALWAYS);
    expect(named(true), 'those with `FRESH_WITH_FACTOR` are in IN_TWO_STEPS, sorted').toEqual(IN_TWO_STEPS);
    expect(new Set(fresh.map((each) => each.fresh.seconds))).toEqual(new Set([600]));
  });
});
