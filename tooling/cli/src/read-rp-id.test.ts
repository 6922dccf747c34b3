import { expect, it } from 'vitest';
import { readRpId } from './read-rp-id.js';

it('the domain of passkeys is that of PASSKEY_RP_ID also without the addresses of the services, else the host of APP_URL', () => {
  const services = { APP_URL: 'https://app.example.com', BASE_URL: 'https://api.example.com' };
  expect(readRpId({ PASSKEY_RP_ID: 'example.com' })).toBe('example.com');
  expect(readRpId({ ...services, PASSKEY_RP_ID: 'example.com' })).toBe('example.com');
  expect(readRpId(services)).toBe('app.example.com');
  expect(readRpId({ APP_URL: services.APP_URL, BASE_URL: 'http://nowhere' })).toBe('app.example.com');
  expect(readRpId({ PASSKEY_RP_ID: 'https://example.com' })).toBeUndefined();
  expect(readRpId({})).toBeUndefined();
});
