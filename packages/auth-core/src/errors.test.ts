import { describe, expect, it } from 'vitest';
import { AppError, ERRORS } from './errors.js';

/** The contract's table of conditions, and the codes in its other sections. */
const CONTRACT: Record<string, number> = {
  invalid_partner_token: 401,
  invalid_input: 400,
  invalid_account: 400,
  invalid_apptype: 400,
  invalid_credentials: 401,
  role_not_allowed: 403,
  invalid_token: 403,
  account_required: 400,
  account_forbidden: 403,
  permission_denied: 403,
  username_taken: 409,
  email_taken: 409,
  connection_taken: 409,
  not_found: 404,
  provider_not_configured: 404,
  payload_too_large: 413,
  unsupported_media_type: 415,
  method_not_allowed: 405,
  rate_limited: 429,
  unavailable: 503,
  internal: 500,
  unauthorized: 401,
};

describe('the error catalogue', () => {
  it('has every code of the contract with its status', () => {
    const statuses = Object.fromEntries(Object.entries(ERRORS).map(([code, { status }]) => [code, status]));
    expect(statuses).toMatchObject(CONTRACT);
  });

  it('has one plain sentence for each error', () => {
    for (const [code, { message }] of Object.entries(ERRORS)) {
      expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
      expect(message).toMatch(/^[A-Z].*\.$/);
    }
  });
});

describe('an error thrown on purpose', () => {
  it('shows the public sentence and keeps the details for the log', () => {
    const cause = new Error('ER_DUP_ENTRY');
    const error = new AppError('email_taken', { detail: 'members.email_key', cause });
    expect(error.message).toBe(ERRORS.email_taken.message);
    expect(error).toMatchObject({ code: 'email_taken', status: 409, detail: 'members.email_key', cause });
    expect(error.message).not.toContain('members');
  });

  it('carries the issues and the time to wait', () => {
    const issues = [{ path: 'password', message: 'is too short' }];
    expect(new AppError('invalid_input', { issues })).toMatchObject({ issues, status: 400 });
    expect(new AppError('rate_limited', { retryAfterSeconds: 30 })).toMatchObject({ retryAfterSeconds: 30 });
    expect('cause' in new AppError('not_found')).toBe(false);
  });
});
