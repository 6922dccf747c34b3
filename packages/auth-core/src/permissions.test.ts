import { describe, expect, it } from 'vitest';
import { isProductPermission, PERMISSIONS, type Permission, STAFF_PERMISSIONS } from './permissions.js';
import { renderPermissions } from './render-permissions.js';
import { createRoles, ROLE_NAMES, ROLE_PERMISSIONS, STAFF_ROLE_PERMISSIONS } from './roles.js';

/** The contract's table as one row per permission: the role numbers that have it. */
const CONTRACT: Record<Permission, readonly number[]> = {
  'account.read': [0, 1, 2, 6, 3, 4, 5],
  'account.manage': [0, 1],
  'member.list': [0, 1, 2, 6, 3, 4],
  'member.manage': [0, 1, 2, 6],
  'conversation.read': [0, 1, 2, 6, 3, 4],
  'subject.remove': [0, 1, 2, 6],
  'subscription.read': [0, 1, 6],
  'billing.manage': [0, 1],
  'social.connect': [0, 1, 2, 6, 3, 4, 5],
  'knowledge.analyze': [0, 1, 2, 6],
  'event.read': [0, 1, 2],
  'event.manage': [0, 1],
  'key.manage': [0, 1],
  'app.manage': [0, 1],
  'sso.manage': [0, 1],
};

describe('the permission table', () => {
  it('agrees with the contract on every role and permission', () => {
    const { id } = createRoles();
    for (const permission of PERMISSIONS) {
      const holders = ROLE_NAMES.filter((name) => ROLE_PERMISSIONS[name].has(permission)).map(
        (name) => id[name],
      );
      expect([permission, new Set(holders)]).toEqual([permission, new Set(CONTRACT[permission])]);
    }
  });

  it('gives staff permissions to base roles 0 and 6 only', () => {
    expect([...STAFF_ROLE_PERMISSIONS.admin]).toEqual([...STAFF_PERMISSIONS]);
    expect([...STAFF_ROLE_PERMISSIONS.accountManager]).toEqual([
      'personnel.read',
      'affiliate.read',
      'affiliate.manage',
      'member.impersonate',
    ]);
    for (const name of ['owner', 'manager', 'contributor', 'designer', 'userMember', 'archived'] as const) {
      expect(STAFF_ROLE_PERMISSIONS[name].size).toBe(0);
    }
  });

  it('matches what the page shows', () => {
    const page = renderPermissions();
    const lines = page.split('\n').filter((line) => line.startsWith('| `'));
    expect(lines).toHaveLength(PERMISSIONS.length + STAFF_PERMISSIONS.length);
    expect(page).toContain('| `subscription.read` | yes | yes | yes | – | – | – | – | – |');
    expect(page).toContain('| `affiliate.manage` | yes | – | yes | – | – | – | – | – |');
  });

  it('is shown with the role numbers of the deployment', () => {
    const page = renderPermissions(createRoles({ designer: 14, userMember: 15, accountManager: 16 }));
    expect(page).toContain('16 Account Manager');
    expect(page).toContain('14 Designer');
    expect(page).not.toContain('| 6 ');
    expect(page).not.toContain('| 4 ');
  });
});

describe('the name of a product permission', () => {
  it.each([
    'app.invoice',
    'app.invoice.read',
    'app.manage.read',
    'app.manageAll',
    'app.Manage',
    `app.${'a'.repeat(60)}`,
  ])('can be %s', (name) => {
    expect(isProductPermission(name)).toBe(true);
  });

  it.each([
    'app.manage',
    ...PERMISSIONS,
    ...STAFF_PERMISSIONS,
    'app',
    'app.',
    'app..read',
    'app.1',
    'app.a b',
    'app.a-b',
    'app.ä',
    'App.invoice',
    ' app.invoice',
    'app.invoice\n',
    `app.${'a'.repeat(61)}`,
  ])('cannot be %j', (name) => {
    expect(isProductPermission(name)).toBe(false);
  });
});
