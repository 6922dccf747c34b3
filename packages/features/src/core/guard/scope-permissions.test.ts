import { router } from '@gatehouse/api-main/router';
import { PERMISSIONS } from '@gatehouse/auth-core';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { isOpenToPrograms } from '@gatehouse/http/trpc/procedure-rule';
import { expect, it } from 'vitest';
import { ONLY_FOR_OWNERS } from '../access/access-reader.js';
import { permissionsOf } from './scope-permissions.js';

const writing = new Set(
  listProcedures(router).flatMap(({ type, rule }) =>
    type !== 'query' && rule?.who === 'account' && isOpenToPrograms(rule) ? [rule.permission] : [],
  ),
);

it('a permission is regarded as read-only if no procedure for programs changes anything with it', () => {
  const read = permissionsOf({ permissions: PERMISSIONS }, ['read']);
  const manage = permissionsOf({ permissions: PERMISSIONS }, ['manage']);
  expect(read.size + manage.size).toBe(PERMISSIONS.length - ONLY_FOR_OWNERS.size);
  expect([...read].filter((permission) => writing.has(permission as 'account.read'))).toEqual([]);
  for (const permission of ['account.manage', 'member.manage', 'subject.remove'])
    expect(manage).toContain(permission);
});

it('a scope gives no permission of owners, and product permissions only by name', () => {
  const permissions = [...PERMISSIONS, 'app.invoice.read'] as const;
  const given = (...scopes: string[]) => [...permissionsOf({ permissions }, scopes)];
  expect(given('app.invoice.read', 'key.manage')).toEqual(['app.invoice.read']);
  expect(given('read', 'manage')).not.toContain('app.invoice.read');
});
