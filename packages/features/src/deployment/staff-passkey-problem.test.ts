import { testConfig } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { staffPasskeyProblem } from './staff-passkey-problem.js';

const HOSTS = {
  APP_URL: 'https://app.example.com',
  BASE_URL: 'https://staff-api.example.com',
  PASSKEY_ORIGINS: '',
};
const problem = (env: Record<string, string>) =>
  staffPasskeyProblem(testConfig({ ...HOSTS, STAFF_ROOT_LEVEL: '3', ...env }));

describe('a staff level that cannot be reached', () => {
  it('is reported for PASSKEY_RP_ID when api-admin lies outside that domain', () => {
    expect(problem({})).toMatch(/^PASSKEY_RP_ID: /);
    expect(problem({ PASSKEY_RP_ID: 'example.com' })).toBeUndefined();
    expect(problem({ STAFF_ROOT_LEVEL: '2' })).toBeUndefined();
    expect(problem({ BASE_URL: 'https://staff.app.example.com' })).toBeUndefined();
    expect(problem({ APP_URL: 'http://127.0.0.1:4000', BASE_URL: 'http://127.0.0.1:4001' })).toMatch(
      /^PASSKEY_RP_ID: /,
    );
  });
});
