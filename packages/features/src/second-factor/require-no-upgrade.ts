import { AppError } from '@gatehouse/auth-core';
import { type Database, findOldNodeSeen } from '@gatehouse/db';
import { isUpgradeUnderWay } from '../app/level.js';

/**
 * Requires that no node of a release that ignores factors ran within an hour, before a switch or policy is turned on.
 * @throws {AppError} `upgrade_under_way`
 */
export async function requireNoUpgrade(tx: Database, nowMs: number): Promise<void> {
  if (isUpgradeUnderWay(await findOldNodeSeen(tx), nowMs)) throw new AppError('upgrade_under_way');
}
