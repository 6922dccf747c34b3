import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { describe, expect, it } from 'vitest';
import { router } from './router.js';

/** Asked of everybody. */
const ALWAYS = [
  'accountPolicy.set',
  'factor.newBackupCodes',
  'factor.switch',
  'impersonation.start',
  'partner.endLink',
  'passkey.add',
  'passkey.addOptions',
  'passkey.remove',
  'recovery.approve',
  'recovery.open',
  'social.connect',
  'social.finish',
  'totp.remove',
  'totp.start',
];
/** Asked of callers who sign in in two steps. */
const IN_TWO_STEPS = [
  'account.remove',
  'account.transferOwnership',
  'member.ban',
  'member.remove',
  'partner.deactivate',
  'partner.finishRotation',
  'partner.rotateSecret',
  'partner.save',
  'personnel.promote',
  'personnel.reinvite',
  'personnel.save',
  'session.endFor',
  'session.issueAuthToken',
  'social.remove',
];

describe('what takes a recent verification at the admin service', () => {
  it('is this list, and ten minutes is recent', () => {
    const fresh = listProcedures(router).flatMap(({ name, rule }) =>
      rule && 'fresh' in rule && rule.fresh ? [{ name, fresh: rule.fresh }] : [],
    );
    const named = (only: boolean) =>
      fresh
        .filter((each) => (each.fresh.onlyWithSecondFactor === true) === only)
        .map(({ name }) => name)
        .toSorted();
    expect(named(false)).toEqual(ALWAYS);
    expect(named(true)).toEqual(IN_TWO_STEPS);
    expect(new Set(fresh.map((each) => each.fresh.seconds))).toEqual(new Set([600]));
  });
});
