import { AppError, isVisible, PERMISSIONS, type Roles, searchKey, storableText } from '@gatehouse/auth-core';
import { z } from 'zod';

const LONGEST_NAME = 60;

/** The name of a role, unique in its account regardless of case. */
export const roleName = storableText(LONGEST_NAME)
  .refine((text) => searchKey(text).length <= LONGEST_NAME, { message: 'is too long' })
  .refine(isVisible, { message: 'must contain something visible' });

/** All permissions of the role. */
export const rolePermissions = z
  .array(z.enum(PERMISSIONS))
  .max(PERMISSIONS.length)
  .transform((permissions) => PERMISSIONS.filter((permission) => permissions.includes(permission)))
  .refine((permissions) => permissions.includes('account.read'), { message: 'must include account.read' })
  .refine((permissions) => !permissions.includes('member.manage') || permissions.includes('member.list'), {
    message: 'member.manage needs member.list',
  });

/** @throws {AppError} `invalid_input` for a number that a custom role cannot rank as */
export function requireCustomRank(roles: Roles, roleType: number): void {
  const { manager, contributor, designer, userMember } = roles.id;
  if ([manager, contributor, designer, userMember].includes(roleType)) return;
  const message = `must be one of ${[manager, contributor, designer, userMember].join(', ')}`;
  throw new AppError('invalid_input', { issues: [{ path: 'roleType', message }] });
}
