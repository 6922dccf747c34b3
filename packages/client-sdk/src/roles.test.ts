import { createRoles } from '@gatehouse/auth-core';
import { expect, it } from 'vitest';
import { ROLES } from './roles.js';

it('has the number of every role as the service has it unless configured otherwise', () => {
  expect(ROLES).toEqual(createRoles().id);
});
