import { AppError } from '@gatehouse/auth-core';
import { type Database, findMemberByAddress } from '@gatehouse/db';

/** @throws {AppError} `sign_in_required` if a member has the address */
export async function requireUnregistered(db: Database, emailKey: string): Promise<void> {
  if (await findMemberByAddress(db, emailKey)) throw new AppError('sign_in_required');
}
