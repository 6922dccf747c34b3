import { randomBytes } from 'node:crypto';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Config, configShape, portVariable, readConfig } from '@gatehouse/features/core/config';

const TEST_SECRET = randomBytes(48).toString('base64url');
const TEST_SESSION_SECRET = randomBytes(48).toString('base64url');
const TEST_DATA_KEY = randomBytes(32).toString('base64');

/** The variables of a deployment under test. All in this process share the same secrets. */
export function testEnvironment(): Record<string, string> {
  return {
    NODE_ENV: 'test',
    JWT_SECRET_KEY: TEST_SECRET,
    SESSION_SECRET: TEST_SESSION_SECRET,
    DATA_ENCRYPTION_KEY: TEST_DATA_KEY,
    APP_URL: 'http://app.gatehouse.test',
    BASE_URL: 'http://127.0.0.1:4000',
    PASSKEY_ORIGINS: 'https://app.gatehouse.test',
    // On a busy machine fifty logins may take longer than real callers would wait.
    PASSWORD_HASH_WAIT_MS: '60000',
    MAIL_OUTBOX_DIRECTORY: join(tmpdir(), 'gatehouse-test-outbox'),
  };
}

const SHAPE = { ...configShape, PORT: portVariable.default(0) };
const read = new Map<string, Config>();

/**
 * One configuration for every test of this process, so that tokens are valid on all its services. The same variables are read once:
 * the schema takes longer than most requests.
 */
export function testConfig(env: Readonly<Record<string, string>> = {}): Config {
  const key = JSON.stringify(env);
  const config = read.get(key) ?? readConfig(SHAPE, { ...testEnvironment(), ...env });
  read.set(key, config);
  return config;
}
