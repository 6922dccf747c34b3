import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { ConfigError, kitConfigShape, readConfig } from './config.js';

const WELL = {
  JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
  SESSION_SECRET: randomBytes(48).toString('base64url'),
  DATA_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  APP_URL: 'https://app.acme.test/',
  BASE_URL: 'https://api.acme.test',
};

const read = (env: Readonly<Record<string, string | undefined>>) =>
  readConfig(kitConfigShape, { ...WELL, ...env });

function problemsOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}

describe('a configuration', () => {
  it('is of production unless it says otherwise, and needs five variables', () => {
    expect(read({})).toMatchObject({ NODE_ENV: 'production', APP_URL: 'https://app.acme.test' });
    const absent = Object.fromEntries(Object.keys(WELL).map((name) => [name, undefined]));
    expect(problemsOf(absent)).toEqual(Object.keys(WELL).map((name) => `${name}: is missing`));
  });

  it('takes an empty variable for none', () => {
    expect(read({ TOKEN_HEADER_KEY: '', REDIS_URL: '' })).toMatchObject({ TOKEN_HEADER_KEY: 'Token' });
    expect(problemsOf({ SESSION_SECRET: '' })).toEqual(['SESSION_SECRET: is missing']);
  });

  it('is told all that is wrong with it at once, and none of its values', () => {
    const wrong = {
      JWT_SECRET_KEY: 'short-one',
      DATA_ENCRYPTION_KEY: 'bm90LTMyLWJ5dGVz',
      APP_URL: 'ftp://wrong.test',
      DATABASE_URL: 'postgres://wrong.test',
      CORS_ORIGINS: 'https://app.acme.test/path,https://app.acme.test/other',
      TRUSTED_PROXIES: '10.0.0.0/99',
      SMTP_URL: 'http://wrong.test',
    };
    const problems = problemsOf(wrong);
    expect(problems).toHaveLength(7);
    expect(new Set(problems.map((problem) => problem.split(':')[0]))).toEqual(new Set(Object.keys(wrong)));
    for (const value of Object.values(wrong)) expect(problems.join('\n')).not.toContain(value);
  });

  it.each([
    'x'.repeat(40),
    'change-me-change-me-change-me-change-me',
    'your-secret-key-of-32-bytes-or-more-yes',
  ])('starts nothing in production with a placeholder for a secret: %s', (placeholder) => {
    expect(problemsOf({ JWT_SECRET_KEY: placeholder })).toHaveLength(1);
    expect(problemsOf({ SESSION_SECRET: placeholder })).toHaveLength(1);
    expect(problemsOf({ JWT_SECRET_KEY: placeholder, NODE_ENV: 'development' })).toEqual([]);
  });

  it.each([
    ['a previous key without its end', { JWT_SECRET_KEY_PREVIOUS: 'old' }],
    ['two roles of one number', { DESIGNER: '5' }],
    ['a role of a number that is taken', { USER_MEMBER: '11' }],
    ['a token in a header that has another meaning', { TOKEN_HEADER_KEY: 'Authorization' }],
    ['a webhook secret that no provider would show', { STRIPE_WEBHOOK_SECRET: 'whsec_short' }],
    ['an Apptype that means nothing known', { APPTYPE_MAP: 'kiosk=web,studio=desk' }],
  ])('may not have %s', (_, env) => {
    expect(problemsOf(env)).toHaveLength(1);
  });

  it.each([
    ['7d', 604_800],
    ['12h', 43_200],
    ['3600', 3_600],
    ['90m', 5_400],
  ])('reads a life of %s', (text, seconds) => {
    expect(read({ JWT_EXPIRES_IN: text }).JWT_EXPIRES_IN).toBe(seconds);
  });

  it.each(['0', '59s', '367d', '-1d', '1.5h', 'a week', '1e9'])('refuses a life of %s', (text) => {
    expect(problemsOf({ JWT_EXPIRES_IN: text })).toHaveLength(1);
  });
});
