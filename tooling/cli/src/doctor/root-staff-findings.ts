import type { RootStaff } from '@gatehouse/db';
import { type Finding, finding } from './finding.js';

const DAY_MS = 86_400_000;

/** How many administrators have no passkey, and how long FACTORS_UNTIL lets them work without one. */
export function rootStaffFindings(
  { members, withoutPasskey }: RootStaff,
  {
    rootLevel,
    factorsUntilMs,
    nowMs,
  }: { rootLevel: number; factorsUntilMs: number | undefined; nowMs: number },
): Finding[] {
  const daysLeft = Math.max(0, Math.ceil(((factorsUntilMs ?? nowMs) - nowMs) / DAY_MS));
  const counted = `staff: ${withoutPasskey} of ${members} of base role 0 without a passkey`;
  if (rootLevel < 3) return [{ isWell: true, text: `${counted}; STAFF_ROOT_LEVEL asks for none` }];
  const advice =
    daysLeft > 0
      ? `; ${daysLeft} day(s) are left until FACTORS_UNTIL ends, in which they work without one: let them add one at /enrol of api-admin`
      : '; they can do nothing but add one, at /enrol of api-admin';
  return [
    finding(withoutPasskey === 0, 'staff: everybody of base role 0 has a passkey', `${counted}${advice}`),
  ];
}
