import { createRoles, type Roles } from '@gatehouse/auth-core';
import { configShape, readConfig } from '@gatehouse/features/core/config';
import type { CommandContext } from './command.js';

/**
 * The roles with the numbers of the environment.
 * @throws {ConfigError} when a number is not valid.
 */
export function rolesIn({ env }: CommandContext): Roles {
  const { DESIGNER, USER_MEMBER, ACCOUNT_MANAGER } = configShape;
  const numbers = readConfig({ DESIGNER, USER_MEMBER, ACCOUNT_MANAGER }, env);
  return createRoles({
    designer: numbers.DESIGNER,
    userMember: numbers.USER_MEMBER,
    accountManager: numbers.ACCOUNT_MANAGER,
  });
}
