import { createTokenKeys, sealToken } from '@gatehouse/auth-core';
import { findMember } from '@gatehouse/db/queries/read-members';
import type { RunningService } from '@gatehouse/testkit';

/** A session token of a member, created without a login and so without a session row. */
export async function tokenOf(service: RunningService, memberId: number): Promise<string> {
  const member = await findMember(service.database, memberId);
  if (!member) throw new Error(`There is no member ${memberId}`);
  const { roleType: role, isPersonnel } = member;
  const keys = createTokenKeys({ secret: service.services.config.JWT_SECRET_KEY });
  const payload = { userId: memberId, role, defaultPaymentId: 2, accountId: null, isPersonnel };
  return sealToken(keys, payload, { nowMs: Date.now(), ttlSeconds: 3_600 }).token;
}
