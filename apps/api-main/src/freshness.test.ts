import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { describe, expect, it } from 'vitest';
import { router } from './router.js';

/** Required of every caller. */
const ALWAYS = [
  'account.close',
  'account.transferOwnership',
  'accountPolicy.set',
  'app.addSecret',
  'app.remove',
  'app.removeSecret',
  'app.save',
  'email.change',
  'eventDelivery.redeliver',
  'eventEndpoint.remove',
  'eventEndpoint.resume',
  'eventEndpoint.rotateSecret',
  'eventEndpoint.save',
  'eventEndpoint.test',
  'factor.newBackupCodes',
  'factor.switch',
  'key.create',
  'key.revoke',
  'key.rotate',
  'machine.remove',
  'machine.save',
  'member.deleteOwn',
  'member.exportOwn',
  'partner.endLink',
  'passkey.add',
  'passkey.addOptions',
  'passkey.remove',
  'password.set',
  'scim.addToken',
  'scim.removeToken',
  'social.connect',
  'social.finish',
  'sso.activate',
  'sso.addDomain',
  'sso.consent',
  'sso.remove',
  'sso.removeDomain',
  'sso.saveOidc',
  'sso.saveSaml',
  'sso.setPolicy',
  'sso.test',
  'sso.verifyDomain',
  'takeover.decide',
  'totp.remove',
  'totp.start',
];
/** Required of callers who sign in in two steps. */
const IN_TWO_STEPS = ['session.issueAuthToken', 'social.remove'];

describe('the procedures of the main service that require a recent verification', () => {
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
