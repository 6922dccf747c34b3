import type { RoleName } from './roles.js';

/** What can be permitted inside an account, in the order of the printed table. */
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
] as const;

export type Permission = (typeof PERMISSIONS)[number];

/** What can be permitted to staff apart from accounts, in the order of the printed table. */
export const STAFF_PERMISSIONS = [
  'personnel.read',
  'personnel.manage',
  'partner.manage',
  'webhook.read',
  'audit.read',
  'affiliate.read',
  'affiliate.manage',
] as const;

export type StaffPermission = (typeof STAFF_PERMISSIONS)[number];

const MANAGER = [
  'account.read',
  'member.list',
  'member.manage',
  'conversation.read',
  'subject.remove',
  'social.connect',
  'knowledge.analyze',
] as const satisfies readonly Permission[];

const CONTRIBUTOR = [
  'account.read',
  'member.list',
  'conversation.read',
  'social.connect',
] as const satisfies readonly Permission[];

/** The permissions of each role in the account where it is held. */
export const ROLE_PERMISSIONS: Readonly<Record<RoleName, ReadonlySet<Permission>>> = {
  admin: new Set(PERMISSIONS),
  owner: new Set(PERMISSIONS),
  manager: new Set(MANAGER),
  accountManager: new Set<Permission>([...MANAGER, 'subscription.read']),
  contributor: new Set(CONTRIBUTOR),
  designer: new Set(CONTRIBUTOR),
  userMember: new Set(['account.read', 'social.connect']),
  archived: new Set(),
};

/** The permissions of staff, by base role, apart from accounts. */
export const STAFF_ROLE_PERMISSIONS: Readonly<Record<RoleName, ReadonlySet<StaffPermission>>> = {
  admin: new Set(STAFF_PERMISSIONS),
  accountManager: new Set(['personnel.read', 'affiliate.read', 'affiliate.manage']),
  owner: new Set(),
  manager: new Set(),
  contributor: new Set(),
  designer: new Set(),
  userMember: new Set(),
  archived: new Set(),
};
