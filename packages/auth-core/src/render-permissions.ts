import { PERMISSIONS, STAFF_PERMISSIONS } from './permissions.js';
import {
  createRoles,
  ROLE_NAMES,
  ROLE_PERMISSIONS,
  ROLES,
  type RoleName,
  type Roles,
  STAFF_ROLE_PERMISSIONS,
} from './roles.js';

/** The permission tables as a Markdown page, from the data the guards use. */
export function renderPermissions(roles: Roles = createRoles()): string {
  return [
    '# Permissions',
    '',
    'Rendered from the table in `packages/auth-core/src/roles.ts`; do not edit.',
    '',
    '## In an account',
    '',
    'By the role held in that account. Staff who act through a grant have the permissions of',
    `${heading(roles, 'accountManager')}; staff of base role ${heading(roles, 'admin')} have theirs in every account.`,
    `${heading(roles, 'userMember')} also reads the conversations they take part in.`,
    '',
    ...renderTable(roles, PERMISSIONS, ROLE_PERMISSIONS),
    '',
    '## Apart from accounts',
    '',
    `For staff only, by base role. ${heading(roles, 'accountManager')} holds these within the granted accounts.`,
    '',
    ...renderTable(roles, STAFF_PERMISSIONS, STAFF_ROLE_PERMISSIONS),
    '',
  ].join('\n');
}

function renderTable<P extends string>(
  roles: Roles,
  permissions: readonly P[],
  table: Readonly<Record<RoleName, ReadonlySet<P>>>,
): string[] {
  const cells = (permission: P) => ROLE_NAMES.map((name) => (table[name].has(permission) ? 'yes' : '–'));
  return [
    row(['Permission', ...ROLE_NAMES.map((name) => heading(roles, name))]),
    row(['---', ...ROLE_NAMES.map(() => ':-:')]),
    ...permissions.map((permission) => row([`\`${permission}\``, ...cells(permission)])),
  ];
}

function heading(roles: Roles, name: RoleName): string {
  return `${roles.id[name]} ${ROLES[name].label}`;
}

function row(cells: readonly string[]): string {
  return `| ${cells.join(' | ')} |`;
}
