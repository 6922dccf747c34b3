import { generateBackupCodes, readBackupCode } from '@gatehouse/auth-core';
import { type AccessTransaction, findMemberFactors, replaceBackupCodes } from '@gatehouse/db';
import type { Services } from '../../core/app/services.js';

/** This many left prompt for new ones. */
export const FEW_BACKUP_CODES = 3;

/** The stored form of a backup code, under the current data key and each previous one. */
export function backupCodeDigests(
  { cipher }: Pick<Services, 'cipher'>,
  memberId: number,
  code: string,
): readonly [string, ...string[]] {
  return cipher.digests(code, `backupCode:${memberId}`);
}

/** Gives a member ten new backup codes, which end the old ones. They are shown once. */
export async function createBackupCodes(
  tx: AccessTransaction,
  services: Pick<Services, 'cipher' | 'now'>,
  memberId: number,
): Promise<string[]> {
  const codes = generateBackupCodes();
  const digests = codes.map((code) => backupCodeDigests(services, memberId, readBackupCode(code) ?? code)[0]);
  await replaceBackupCodes(tx, { memberId, digests, nowMs: services.now() });
  return codes;
}

/** Gives a member without backup codes their first ones; undefined if there are some. */
export async function createFirstBackupCodes(
  tx: AccessTransaction,
  services: Pick<Services, 'cipher' | 'now'>,
  memberId: number,
): Promise<string[] | undefined> {
  const factors = await findMemberFactors(tx, memberId);
  if (factors !== undefined && factors.backupCodesLeft > 0) return undefined;
  return createBackupCodes(tx, services, memberId);
}
