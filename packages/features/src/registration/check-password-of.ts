import { AppError } from '@gatehouse/auth-core';
import { findCredentialById } from '@gatehouse/db';
import type { Context } from '../app/context.js';
import { checkPassword } from '../login/check-password.js';

/**
 * The stored hash that the member's password matched.
 * @throws {AppError} as `checkPassword` does
 */
export async function checkPasswordOf(ctx: Context, memberId: number, password: string): Promise<string> {
  const member = await findCredentialById(ctx.services.db, memberId);
  const checked = await checkPassword(ctx, member?.sid ?? '', password, 'password');
  if (checked.id !== memberId) throw new AppError('invalid_credentials', { sent: 'password' });
  return checked.password;
}
