import { AppError } from '@gatehouse/auth-core';
import { type Database, findOldNodeSeen } from '@gatehouse/db';
import { upgradeEnd } from '../access/upgrade-end.js';

/**
 * Requires that no node of a release that ignores factors ran within an hour, before a switch or policy is turned on.
 * @throws {AppError} `upgrade_under_way`
 */
export async function requireNoUpgrade(tx: Database, nowMs: number): Promise<void> {
  if (upgradeEnd(await findOldNodeSeen(tx), nowMs) !== undefined) throw new AppError('upgrade_under_way');
}
