import { AppError, passwordPolicy } from '@gatehouse/auth-core';

/**
 * Checks a new password against the policy; `field` is its name in the input.
 * @throws {AppError} `invalid_input` with an issue for each problem
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
