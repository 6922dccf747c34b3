import type { AuditRow } from '@gatehouse/db';
import type { Services } from '../core/context.js';
import { auditMember } from './audit-member.js';
import { memberCiphers } from './member-cipher.js';
import { openAddress, openState } from './personal-values.js';

/** Decrypts lines of the audit log. Personal data of erased members is gone. */
export async function openAuditRows(
  services: Pick<Services, 'db' | 'cipher'>,
  rows: readonly AuditRow[],
): Promise<AuditRow[]> {
  const concerned = rows.flatMap((row) => [auditMember(row), row.actorId ?? undefined]);
  const ciphers = await memberCiphers(
    services,
    concerned.filter((id) => id !== undefined),
  );
  return rows.map((row) => {
    const memberId = auditMember(row);
    const cipher = memberId === undefined ? undefined : ciphers.get(memberId);
    const callerId = row.actorId ?? memberId;
    const callers = callerId === undefined ? undefined : ciphers.get(callerId);
    return {
      ...row,
      address: openAddress(callers, row.address),
      before: openState(cipher, row.before),
      after: openState(cipher, row.after),
    };
  });
}
