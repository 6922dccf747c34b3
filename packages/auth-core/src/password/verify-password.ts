import { comparePassword } from './compare-password.js';

/** Whether a password is the one that was hashed, as `comparePassword` finds it. */
export async function verifyPassword(plain: string, stored: string | null | undefined): Promise<boolean> {
  return (await comparePassword(plain, stored)).matches;
}
