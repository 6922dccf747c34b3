import { describe, inject } from 'vitest';
import { loginLimitsHold } from '../../test/login-limits-hold.js';

describe('the limits on logins, counted in the database', () => {
  loginLimitsHold(inject('dialect'), () => ({}));
});
