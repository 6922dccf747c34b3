import { comparePassword } from './compare-password.js';

/** Whether a password matches its hash, by `comparePassword`. */
export async function verifyPassword(plain: string, stored: string | null | undefined): Promise<boolean> {
  return (await comparePassword(plain, stored)).matches;
}
