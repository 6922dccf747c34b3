import { createRoles } from '@gatehouse/auth-core';
import { expect, it } from 'vitest';
import { ROLES } from './roles.js';

it('the client has the default number of every role, as the service does', () => {
  expect(ROLES).toEqual(createRoles().id);
});
