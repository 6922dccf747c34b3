import type { DataCipher } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { Services } from '../core/context.js';
import type { AuditLine } from './list-audit.js';
import { auditMember, isPersonal, memberCipher, sealAddress, sealState } from './member-cipher.js';

/**
 * Encrypts lines of the audit log that `openAuditRows` decrypted, each under the key of its member as when it was recorded. Members
 * without a key get one.
 */
export async function sealAuditRows<Row extends AuditLine>(
  tx: Database,
  services: Pick<Services, 'cipher' | 'now'>,
  rows: readonly Row[],
): Promise<Row[]> {
  const ciphers = new Map<number, DataCipher>();
  const cipherOf = async (memberId: number): Promise<DataCipher> => {
    const cipher = ciphers.get(memberId) ?? (await memberCipher(tx, services, memberId));
    ciphers.set(memberId, cipher);
    return cipher;
  };
  const sealed: Row[] = [];
  for (const row of rows) {
    const memberId = auditMember(row);
    const callerId = row.actorId ?? memberId;
    const isAbout = isPersonal(row.before) || isPersonal(row.after);
    const cipher = isAbout && memberId !== undefined ? await cipherOf(memberId) : undefined;
    const address =
      row.address !== null && callerId !== undefined
        ? sealAddress(await cipherOf(callerId), row.address)
        : row.address;
    sealed.push({
      ...row,
      address,
      before: sealState(cipher, row.before),
      after: sealState(cipher, row.after),
    });
  }
  return sealed;
}
