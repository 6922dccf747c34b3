import { AppError, passwordPolicy } from '@gatehouse/auth-core';

/**
 * Holds a new password against the policy; `field` is what the input calls it.
 * @throws {AppError} `invalid_input` with an issue for each thing that is wrong
 */
export async function requireGoodPassword(
  password: string,
  member: { readonly email: string | null; readonly username: string },
  field: string,
): Promise<void> {
  const issues = await passwordPolicy(password, member);
  if (issues.length === 0) return;
  throw new AppError('invalid_input', {
    issues: issues.map(({ message }) => ({ path: field, message })),
  });
}
