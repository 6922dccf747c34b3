import { readFile } from 'node:fs/promises';
import { configShape, readConfig } from '@gatehouse/features/core/config';
import { staffPasskeyProblem } from '@gatehouse/features/deployment/staff-passkey-problem';
import { testEnvironment } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { z } from 'zod';

const read = (path: string) => readFile(new URL(`../../../${path}`, import.meta.url), 'utf8');
const compose = z
  .object({
    services: z.record(
      z.string(),
      z.looseObject({
        command: z.array(z.string()).optional(),
        environment: z.record(z.string(), z.string()).default({}),
      }),
    ),
  })
  .parse(parse(await read('compose.yaml'), { merge: true }));
const image = await read('deploy/Dockerfile');
const imageCommand = /^CMD (.*)$/m.exec(image)?.[1] ?? '[]';
const services = Object.entries(compose.services).flatMap(([name, { command, environment }]) => {
  const [, app] = /apps\/(api-[a-z]+)\/dist/.exec(JSON.stringify(command ?? imageCommand)) ?? [];
  return app !== undefined && name.startsWith(app) ? [{ name, app, environment }] : [];
});

/** The environment of a service, as Docker Compose gives it with these variables in `.env`. */
function environmentOf(name: string, dotEnv: Readonly<Record<string, string>>): Record<string, string> {
  const { environment = {} } = services.find((service) => service.name === name) ?? {};
  const fill = (value: string) =>
    value.replace(/\$\{([A-Z_]+):-([^}]*)\}/g, (_, variable: string, other: string) =>
      dotEnv[variable] ? dotEnv[variable] : other,
    );
  return Object.fromEntries(Object.entries(environment).map(([key, value]) => [key, fill(value)]));
}

/** The configuration of a service, which is read as at its start. */
function configOf(name: string, dotEnv: Readonly<Record<string, string>> = {}) {
  const { JWT_SECRET_KEY, SESSION_SECRET, DATA_ENCRYPTION_KEY } = testEnvironment();
  return readConfig(configShape, {
    NODE_ENV: 'production',
    JWT_SECRET_KEY,
    SESSION_SECRET,
    DATA_ENCRYPTION_KEY,
    ...environmentOf(name, { MAIL_OUTBOX_ONLY: 'true', ...dotEnv }),
  });
}

const OF_A_DOMAIN = {
  APP_URL: 'https://app.example.com',
  BASE_URL: 'https://api.example.com',
  ADMIN_BASE_URL: 'https://staff-api.example.com',
};

describe('compose.yaml', () => {
  it('has two nodes of each service, with variables that the services read', async () => {
    expect(services.map(({ name }) => name)).toEqual([
      'api-main-1',
      'api-main-2',
      'api-admin-1',
      'api-admin-2',
    ]);
    const example = await read('.env.example');
    for (const { environment } of services)
      for (const name of Object.keys(environment)) expect(example).toMatch(new RegExp(`^#? ?${name}=`, 'm'));
  });

  it('starts every node with the defaults, where administrators can add a passkey', () => {
    for (const { name, app } of services) {
      const config = configOf(name);
      expect([name, app === 'api-admin' ? staffPasskeyProblem(config) : undefined]).toEqual([
        name,
        undefined,
      ]);
    }
  });

  it('starts api-admin at a domain that PASSKEY_RP_ID names, or without a passkey if STAFF_ROOT_LEVEL says so', () => {
    const problem = (dotEnv: Readonly<Record<string, string>>) =>
      staffPasskeyProblem(configOf('api-admin-1', { ...OF_A_DOMAIN, ...dotEnv }));
    expect(problem({})).toMatch(/^PASSKEY_RP_ID: /);
    expect(problem({ PASSKEY_RP_ID: 'example.com' })).toBeUndefined();
    expect(problem({ STAFF_ROOT_LEVEL: '2' })).toBeUndefined();
  });

  it('gives both services one domain of passkeys', () => {
    const dotEnv = { ...OF_A_DOMAIN, PASSKEY_RP_ID: 'example.com' };
    for (const { name } of services) expect(configOf(name, dotEnv).PASSKEY_RP_ID).toBe('example.com');
  });
});
