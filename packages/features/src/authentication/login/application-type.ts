import { AppError } from '@gatehouse/auth-core';
import type { ApplicationType } from '../../core/app/application.js';
import type { Context } from '../../core/app/context.js';

const NAMES: ReadonlyMap<string, ApplicationType> = new Map([
  ['web', 'web'],
  ['mobile', 'mobile'],
  ['designer', 'designer'],
  ['admin', 'admin'],
]);

/** Base64 or base64url (RFC 4648), with or without padding. */
const BASE64 = /^(?:[\w+/-]{4})*(?:[\w+/-]{2}(?:==)?|[\w+/-]{3}=?)?$/;

/**
 * The application of a login, from the base64 `Apptype` header; the deployment's default if the header is
 * absent or unknown.
 * @throws {AppError} `invalid_apptype` if it is neither base64 nor base64url
 */
export function applicationTypeOf(ctx: Context, own: ApplicationType): ApplicationType {
  const header = ctx.call.header('apptype')?.trim();
  if (header === undefined || header === '') return own;
  if (!BASE64.test(header)) throw new AppError('invalid_apptype');
  const name = Buffer.from(header, 'base64').toString();
  return NAMES.get(name) ?? ctx.services.config.APPTYPE_MAP.get(name) ?? own;
}

/** An application as it was stored; the web application if a later release stored it. */
export function readApplicationType(stored: string): ApplicationType {
  return NAMES.get(stored) ?? 'web';
}

/**
 * Checks that a member may sign in to an application. Designers need that base role. The admin application and
 * deployment need staff.
 * @throws {AppError} `role_not_allowed`
 */
export function requireAllowedRole(
  ctx: Context,
  member: { readonly roleType: number; readonly isPersonnel: boolean },
  application: ApplicationType,
): void {
  const isForStaff = application === 'admin' || ctx.services.deployment.application === 'admin';
  const isRefused =
    (isForStaff && !member.isPersonnel) ||
    (application === 'designer' && member.roleType !== ctx.services.roles.id.designer);
  if (isRefused) throw new AppError('role_not_allowed');
}
