/** The permissions inside an account, in the order of the printed table. */
export const PERMISSIONS = [
  'account.read',
  'account.manage',
  'member.list',
  'member.manage',
  'conversation.read',
  'subject.remove',
  'subscription.read',
  'billing.manage',
  'social.connect',
  'knowledge.analyze',
  'event.read',
  'event.manage',
  'key.manage',
  'app.manage',
  'sso.manage',
] as const;

/** A permission of the product, which the service only hands out. */
export type ProductPermission = `app.${string}`;

export type Permission = (typeof PERMISSIONS)[number] | ProductPermission;

const PRODUCT_PERMISSION = /^app(?:\.[A-Za-z][A-Za-z0-9]*)+$/;

const OWN_NAMES: ReadonlySet<string> = new Set(PERMISSIONS);

/** Whether a name can be one of a permission of the product: `app.invoice.read`, at most 64 characters, and none of the service's. */
export function isProductPermission(name: string): name is ProductPermission {
  return name.length <= 64 && PRODUCT_PERMISSION.test(name) && !OWN_NAMES.has(name);
}

/** The permissions of staff outside accounts, in the order of the printed table. */
export const STAFF_PERMISSIONS = [
  'personnel.read',
  'personnel.manage',
  'partner.manage',
  'webhook.read',
  'audit.read',
  'affiliate.read',
  'affiliate.manage',
  'member.impersonate',
  'platformEvent.manage',
  'platformKey.manage',
  'platformApp.manage',
  'platformSso.manage',
] as const;

export type StaffPermission = (typeof STAFF_PERMISSIONS)[number];

const STAFF_PERMISSION_NAMES: ReadonlySet<string> = new Set(STAFF_PERMISSIONS);

/** Whether a permission is one of staff, outside accounts. */
export function isStaffPermission(
  permission: Permission | StaffPermission | undefined,
): permission is StaffPermission {
  return permission !== undefined && STAFF_PERMISSION_NAMES.has(permission);
}
