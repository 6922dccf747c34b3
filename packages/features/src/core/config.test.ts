import { randomBytes } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { isDeepStrictEqual } from 'node:util';
import {
  DEMONSTRATION_API_KEY,
  DEMONSTRATION_EVENT_SECRET,
  DEMONSTRATION_PARTNER_SECRET,
  DEMONSTRATION_PASSWORD,
} from '@gatehouse/runtime/config/secrets';
import { describe, expect, it } from 'vitest';
import { ConfigError, configShape, portVariable, readConfig } from './config.js';

const WELL = {
  JWT_SECRET_KEY: randomBytes(48).toString('base64url'),
  SESSION_SECRET: randomBytes(48).toString('base64url'),
  DATA_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
  APP_URL: 'https://app.acme.test/',
  BASE_URL: 'https://api.acme.test',
};

const MAIL = { SMTP_URL: 'smtp://127.0.0.1:25' };

const read = (env: Readonly<Record<string, string | undefined>>) =>
  readConfig(configShape, { ...WELL, ...MAIL, ...env });

function problemsOf(env: Readonly<Record<string, string | undefined>>): readonly string[] {
  try {
    read(env);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.problems;
  }
}

/** The demonstration's secrets, and example values of secrets in the documents. */
const PUBLISHED = await publishedValues();

async function publishedValues(): Promise<string[]> {
  const root = new URL('../../../../', import.meta.url);
  const files = ['README.md', '.env.example', 'compose.yaml', 'packages/client-sdk/README.md'];
  const guides = (await readdir(new URL('docs/', root))).filter((name) => name.endsWith('.md'));
  const texts = await Promise.all(
    [...files, ...guides.map((name) => `docs/${name}`)].map((path) => readFile(new URL(path, root), 'utf8')),
  );
  const assigned = /(?:secretKey|password|_SECRET|_KEY|_TOKEN)["']?[:=] ?["']?([A-Za-z0-9+/_.-]{12,})/g;
  const found = texts.flatMap((text) => [...text.matchAll(assigned)].map(([, value = '']) => value));
  return [
    ...new Set([
      DEMONSTRATION_PASSWORD,
      DEMONSTRATION_PARTNER_SECRET,
      DEMONSTRATION_API_KEY,
      DEMONSTRATION_EVENT_SECRET,
      'simulated-google-client-secret',
      ...found,
    ]),
  ];
}

describe('a configuration', () => {
  it('is for production by default, and requires five variables', () => {
    expect(read({})).toMatchObject({ NODE_ENV: 'production', APP_URL: 'https://app.acme.test' });
    const absent = Object.fromEntries(Object.keys(WELL).map((name) => [name, undefined]));
    expect(problemsOf(absent)).toEqual(Object.keys(WELL).map((name) => `${name}: is missing`));
  });

  it('has the defaults that .env.example shows, from which docs/configuration.md is made', async () => {
    const example = await readFile(new URL('../../../../.env.example', import.meta.url), 'utf8');
    const shown = new Map(
      [...example.matchAll(/^# ([A-Z][A-Z0-9_]*)=(.*)$/gm)].map(([, name = '', value = '']) => [name, value]),
    );
    const wrong = Object.entries(configShape).flatMap(([name, type]) => {
      const value = shown.get(name);
      if (value === undefined) return [];
      const { data } = type.safeParse(value === '' ? undefined : value);
      const { data: byDefault } = type.safeParse(undefined);
      return isDeepStrictEqual(data, byDefault) ? [] : [`${name}=${value}`];
    });
    // The defaults of these three depend on other variables, as the file says.
    expect(wrong).toEqual(['SESSION_ABSOLUTE=30d', 'MCP=off', 'STAFF_ROOT_LEVEL=3']);
  });

  it('treats an empty variable as missing', () => {
    expect(read({ TOKEN_HEADER_KEY: '', REDIS_URL: '' })).toMatchObject({ TOKEN_HEADER_KEY: 'Token' });
    expect(problemsOf({ SESSION_SECRET: '' })).toEqual(['SESSION_SECRET: is missing']);
  });

  describe('an address', () => {
    const named = (end: string) => Object.keys(configShape).filter((name) => name.endsWith(end));
    const SERVERS = { REDIS_URL: 'redis', SMTP_URL: 'smtp', DATABASE_URL: 'mysql' } as const;
    const isServer = (name: string): name is keyof typeof SERVERS => name in SERVERS;
    const addresses = [...named('_URL'), ...named('_ENDPOINT')].filter((name) => !isServer(name));
    const lists = named('_ORIGINS');
    /** They answer at the root of their host. */
    const roots = ['BASE_URL', 'MAIN_URL', 'ADMIN_URL', 'STRIPE_API_URL'];
    /** Endpoints of providers may have a query. */
    const takesQuery = (name: string) =>
      name === 'LEGACY_SIGN_IN_URL' || /_(?:AUTHORIZATION|TOKEN|PROFILE|ORGANIZATIONS)_URL$/.test(name);
    /** What is refused without it. */
    const beside = (name: string) =>
      name === 'LEGACY_SIGN_IN_URL'
        ? { LEGACY_SIGN_IN_SECRET: randomBytes(32).toString('hex'), LEGACY_SIGN_IN_UNTIL: '2030-01-01' }
        : {};
    const development = (more: Record<string, string>) => ({
      NODE_ENV: 'development',
      APP_URL: 'http://localhost:4000',
      BASE_URL: 'http://localhost:4000',
      ...more,
    });
    const readAs = (name: string, typed: string): unknown =>
      Object.entries(read(development({ [name]: typed, ...beside(name) }))).find(
        ([each]) => each === name,
      )?.[1];

    it('is stored in one form, however it was typed, in every variable', () => {
      expect(addresses.length).toBeGreaterThan(20);
      const forms = [
        ['https://почта.example', 'https://xn--80a1acny.example'],
        ['https://bücher.example/', 'https://xn--bcher-kva.example'],
        ['HTTPS://App.Example.COM', 'https://app.example.com'],
        ['http://LOCALHOST:4000', 'http://localhost:4000'],
        ['https://app.example.com:443/', 'https://app.example.com'],
        ['http://app.example.com:80', 'http://app.example.com'],
        ['http://[0:0:0:0:0:0:0:1]:4000', 'http://[::1]:4000'],
        ['https://ａｐｐ.example.com', 'https://app.example.com'],
      ] as const;
      for (const [typed, kept] of forms) {
        for (const name of addresses) expect([name, readAs(name, typed)]).toEqual([name, kept]);
        if (typed.startsWith('http:') && !typed.includes('LOCALHOST')) continue;
        for (const name of lists)
          expect([name, readAs(name, `${typed}, https://other.example`)]).toEqual([
            name,
            [kept, 'https://other.example'],
          ]);
      }
      for (const [name, scheme] of Object.entries(SERVERS)) {
        const path = scheme === 'mysql' ? '/gatehouse' : '';
        const typed = `${scheme}://me:pa%23ss@Почта.Example:2525${path}`;
        const kept = `${scheme}://me:pa%23ss@xn--80a1acny.example:2525${path}`;
        expect([name, readAs(name, typed)]).toEqual([name, kept]);
      }
    });

    it('is refused if a part of it would be lost or shown, with a message that names the variable and not its value', () => {
      const refusals = (name: string, typed: string) => {
        const problems = problemsOf(development({ [name]: typed }));
        expect(problems.join('\n')).not.toMatch(/hunter|s3cret|wrong\.example/);
        return problems.filter((problem) => problem.startsWith(`${name}: `));
      };
      const parts = [
        ['https://wrong.example/#hunter', 'must have no fragment'],
        ['https://wrong.example#', 'must have no fragment'],
        ['https://me:s3cret@wrong.example', 'must have no user'],
        ['https://me@wrong.example', 'must have no user'],
        ['https://:s3cret@wrong.example', 'must have no user'],
        ['https:wrong.example', 'must be an http(s) URL'],
        ['wrong.example', 'must be an http(s) URL'],
        ['//wrong.example', 'must be an http(s) URL'],
        ['ftp://wrong.example', 'must be an http(s) URL'],
        ['https://wrong.example:99999', 'must be an http(s) URL'],
        ['https://', 'must be an http(s) URL'],
        ['https://*.wrong.example', 'must have one host'],
        [`https://\${WRONG}`, 'must have one host'],
        ['https://wrong.example;', 'must have one host'],
        ['https://wrong.example"', 'must have one host'],
        ['https://wrong..example', 'must have one host'],
        ['https://wrong.example:0', 'must have one host'],
      ] as const;
      for (const [typed, words] of parts) {
        for (const name of addresses)
          expect([name, typed, refusals(name, typed)]).toEqual([
            name,
            typed,
            [expect.stringContaining(words)],
          ]);
        for (const name of lists) expect([name, typed, refusals(name, typed)]).toHaveProperty('2.length', 1);
      }
      for (const typed of ['https://wrong.example?x=1', 'https://wrong.example/?']) {
        for (const name of addresses.filter((each) => !takesQuery(each)))
          expect(refusals(name, typed)).toEqual([expect.stringContaining('must have no query')]);
        for (const name of lists) expect(refusals(name, typed)).toHaveLength(1);
      }
      for (const name of [...roots, ...lists])
        expect([name, refusals(name, 'https://wrong.example/gate')]).toHaveProperty('1.length', 1);
      for (const name of addresses)
        expect(refusals(name, 'https://wrong.example,https://other.example')).toEqual([
          expect.stringContaining('must have one host'),
        ]);
      for (const [name, scheme] of Object.entries(SERVERS))
        for (const typed of [
          `${scheme}://me:s3cret#hunter@wrong.example/x`,
          `${scheme}://`,
          `${scheme}://me:s3cret@wrong.example,other.example/x`,
          `${scheme}://me:s3cret@*.wrong.example/x`,
          `${scheme}://me:s3cret@\u00a0wrong.example/x`,
          'https://wrong.example',
        ])
          expect([name, typed, refusals(name, typed)]).toHaveProperty('2.length', 1);
    });

    it('keeps its path for a front end, unless it is the portal’s', () => {
      expect(readAs('APP_URL', 'https://www.example.com/app/')).toBe('https://www.example.com/app');
      expect(readAs('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://c:4318/otlp/')).toBe('http://c:4318/otlp');
      for (const exact of ['https://p.example/me?v=2', 'https://p.example/authorize/'])
        expect(readAs('GOOGLE_PROFILE_URL', exact)).toBe(exact);
      expect(problemsOf(development({ APP_URL: 'http://localhost:4000/portal/' }))).toEqual([
        expect.stringMatching(/^APP_URL: must have no path/),
      ]);
      expect(problemsOf(development({ APP_URL: 'http://localhost:4000/app' }))).toEqual([]);
    });
  });

  it('reports all problems together, without a value', () => {
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
  ])('refuses a placeholder for a secret in production: %s', (placeholder) => {
    expect(problemsOf({ JWT_SECRET_KEY: placeholder })).toHaveLength(1);
    expect(problemsOf({ SESSION_SECRET: placeholder })).toHaveLength(1);
    expect(problemsOf({ JWT_SECRET_KEY: placeholder, NODE_ENV: 'development' })).toEqual([]);
  });

  it.each(PUBLISHED)('refuses the published value %s for a secret in production', (value) => {
    const key = Buffer.from(value.padEnd(32, '-').slice(0, 32)).toString('base64');
    const long = value.padEnd(40, '-');
    for (const [name, published] of [
      ['JWT_SECRET_KEY', long],
      ['SESSION_SECRET', long],
      ['METRICS_TOKEN', long],
      ['GOOGLE_CLIENT_SECRET', value],
      ['STRIPE_WEBHOOK_SECRET', `whsec_${randomBytes(24).toString('hex')},${long}`],
      ['DATA_ENCRYPTION_KEY_PREVIOUS', key],
      ['DATA_ENCRYPTION_KEY', key],
    ] as const) {
      const problems = problemsOf({ [name]: published });
      expect([name, problems]).toEqual([name, [expect.stringMatching(new RegExp(`^${name}: `))]]);
      expect(problemsOf({ [name]: published, NODE_ENV: 'development' })).toEqual([]);
    }
    const previous = { JWT_SECRET_KEY_PREVIOUS: value, JWT_SECRET_KEY_PREVIOUS_UNTIL: '2030-01-01' };
    expect(problemsOf(previous)).toHaveLength(1);
  });

  it('accepts a previous system with all three variables or none, over https at a port that is called', () => {
    const all = {
      LEGACY_SIGN_IN_URL: 'https://old.acme.test/verify?of=us',
      LEGACY_SIGN_IN_SECRET: `whsec_${randomBytes(32).toString('base64')}`,
      LEGACY_SIGN_IN_UNTIL: '2030-01-01',
    };
    expect(problemsOf(all)).toEqual([]);
    for (const name of Object.keys(all))
      expect(problemsOf({ ...all, [name]: '' })).toEqual([
        expect.stringMatching(new RegExp(`^${name}: is missing`)),
      ]);
    for (const [name, wrong] of [
      ['LEGACY_SIGN_IN_URL', 'http://old.acme.test/verify'],
      ['LEGACY_SIGN_IN_URL', 'https://old.acme.test:22/verify'],
      ['LEGACY_SIGN_IN_URL', 'https://user:password@old.acme.test/verify'],
      ['LEGACY_SIGN_IN_SECRET', 'too-short-to-be-one'],
      ['LEGACY_SIGN_IN_SECRET', 'whsec_this-is-long-but-not-in-base64-at-all'],
      ['LEGACY_SIGN_IN_SECRET', 'change-me-change-me-change-me-change-me'],
      ['LEGACY_SIGN_IN_UNTIL', 'next year'],
    ] as const)
      expect(problemsOf({ ...all, [name]: wrong })[0]).toMatch(new RegExp(`^${name}: `));
    const local = { ...all, LEGACY_SIGN_IN_URL: 'http://127.0.0.1:4999/', NODE_ENV: 'development' };
    expect(problemsOf(local)).toEqual([]);
  });

  it('refuses invisible mistakes: line ends anywhere, and spaces around secrets', () => {
    for (const end of ['\r', '\n', '\r\n', '\u0000', '\t'])
      for (const name of ['STRIPE_API_KEY', 'SMTP_URL', 'GOOGLE_CLIENT_SECRET', 'MAIL_FROM'])
        expect(problemsOf({ [name]: `sk_live_value${end}` })).toContain(
          `${name}: has a line end or another control character, such as the CR of a Windows file`,
        );
    for (const value of [' sk_live_value', 'sk_live_value ', 'sk_live_value\u00a0', '\ufeffsk_live_value'])
      expect(problemsOf({ STRIPE_API_KEY: value })).toEqual(['STRIPE_API_KEY: begins or ends with a blank']);
    expect(problemsOf({ STRIPE_API_KEY: 'sk_live_value' })).toEqual([]);
  });

  it.each([
    ['a tab at its end', 'sk_live_value\t'],
    ['the quotes that Docker keeps of an environment file', '"sk_live_value"'],
    ['single quotes', "'sk_live_value'"],
    ['quotes of a word processor', '“sk_live_value”'],
    ['a zero-width space in the middle', 'sk_live\u200b_value'],
    ['a line separator in the middle', 'sk_live\u2028_value'],
    ['a next-line character', 'sk_live_value\u0085'],
    ['a delete character', 'sk_live_value\u007f'],
    ['an ellipsis in place of its middle', 'sk_live…value'],
    ['bullets in place of its letters', '••••••••••••alue'],
    ['a Cyrillic letter that looks like a Latin one', 'sk_livе_value'],
    ['half a pair', 'sk_live_value\ud83c'],
  ])('reports a provider key with %s, which would fail at the provider', (_what, value) => {
    for (const name of ['STRIPE_API_KEY', 'PADDLE_API_KEY', 'GOOGLE_CLIENT_SECRET', 'RESEND_API_KEY'])
      expect([name, problemsOf({ [name]: value })]).toEqual([
        name,
        [expect.stringMatching(new RegExp(`^${name}: `))],
      ]);
  });

  it('refuses the same value for any two secrets', () => {
    const value = randomBytes(32).toString('base64');
    const names = [
      'JWT_SECRET_KEY',
      'SESSION_SECRET',
      'DATA_ENCRYPTION_KEY',
      'METRICS_TOKEN',
      'STRIPE_WEBHOOK_SECRET',
      'PADDLE_SANDBOX_WEBHOOK_SECRET',
      'PADDLE_PRODUCTION_WEBHOOK_SECRET',
      'PADDLE_ADMIN_WEBHOOK_SECRET',
      'GITHUB_CLIENT_SECRET',
    ];
    for (const one of names) {
      for (const other of names.filter((name) => name !== one)) {
        const problems = problemsOf({ [one]: value, [other]: value });
        expect([one, other, problems]).toEqual([one, other, [expect.stringContaining('are the same')]]);
        expect(problems.join()).not.toContain(value);
      }
    }
    const next = randomBytes(32).toString('base64');
    const rotated = { PADDLE_SANDBOX_WEBHOOK_SECRET: `${value},${next}`, PADDLE_ADMIN_WEBHOOK_SECRET: next };
    expect(problemsOf(rotated)).toHaveLength(1);
  });

  it('offers only complete plans with distinct keys', () => {
    const team = { key: 'team', provider: 'stripe', priceId: 'price_1', name: 'Team' };
    expect(read({ BILLING_PLANS: JSON.stringify([team]) }).BILLING_PLANS).toEqual([team]);
    expect(read({}).BILLING_PLANS).toEqual([]);
    for (const wrong of [
      'team',
      '{}',
      'null',
      JSON.stringify([team, team]),
      JSON.stringify([{ ...team, provider: 'acme' }]),
      JSON.stringify([{ ...team, priceId: '' }]),
      JSON.stringify([{ ...team, amount: 1 }]),
    ])
      expect([wrong, problemsOf({ BILLING_PLANS: wrong })]).toEqual([
        wrong,
        [expect.stringMatching(/^BILLING_PLANS: must be JSON such as/)],
      ]);
  });

  it('refuses a database user of a service that could change tables and the audit log', () => {
    const env = { ...WELL, ...MAIL, MIGRATION_DATABASE_URL: 'mysql://migrations@127.0.0.1/gatehouse' };
    const ofService = { ...configShape, PORT: portVariable };
    expect(() => readConfig(ofService, { ...env, PORT: '4000' })).toThrow(
      'MIGRATION_DATABASE_URL: is for the',
    );
    expect(readConfig(configShape, env)).toMatchObject({ NODE_ENV: 'production' });
  });

  it('starts in production without a mail provider only with MAIL_OUTBOX_ONLY', () => {
    const without = { SMTP_URL: '' };
    expect(problemsOf(without)).toEqual([
      expect.stringMatching(/^SMTP_URL: is missing.*RESEND_API_KEY.*MAIL_OUTBOX_ONLY=true/),
    ]);
    expect(problemsOf({ ...without, MAIL_OUTBOX_ONLY: 'false' })).toHaveLength(1);
    expect(problemsOf({ ...without, MAIL_OUTBOX_ONLY: 'true' })).toEqual([]);
    expect(problemsOf({ ...without, RESEND_API_KEY: 're_1' })).toEqual([]);
    expect(problemsOf({ ...without, NODE_ENV: 'development' })).toEqual([]);
  });

  it.each([
    ['a previous key without its end', { JWT_SECRET_KEY_PREVIOUS: 'old' }],
    ['two roles of one number', { DESIGNER: '5' }],
    ['a role of a number that is taken', { USER_MEMBER: '11' }],
    ['a token in a header that has another meaning', { TOKEN_HEADER_KEY: 'Accountid' }],
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
  ])('reads a lifetime of %s', (text, seconds) => {
    expect(read({ JWT_EXPIRES_IN: text }).JWT_EXPIRES_IN).toBe(seconds);
  });

  it.each(['0', '59s', '367d', '-1d', '1.5h', 'a week', '1e9'])('refuses a lifetime of %s', (text) => {
    expect(problemsOf({ JWT_EXPIRES_IN: text })).toHaveLength(1);
  });
});
