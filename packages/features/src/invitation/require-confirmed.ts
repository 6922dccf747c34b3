import { AppError } from '@gatehouse/auth-core';
import { type Database, findMemberAddress } from '@gatehouse/db';

/** @throws {AppError} `unconfirmed` for a member without a confirmed address */
export async function requireConfirmed(db: Database, memberId: number): Promise<void> {
  const address = await findMemberAddress(db, memberId);
  if (address === undefined || address.emailConfirmedAtMs === null) throw new AppError('unconfirmed');
}
