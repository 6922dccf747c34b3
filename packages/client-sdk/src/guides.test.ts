import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { createApp } from '@gatehouse/api-main/app';
import { knownHash } from '@gatehouse/features/test/known-hash';
import { blockOf, insertTestMember, type RunningService, startService } from '@gatehouse/testkit';
import express from 'express';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { isGatehouseError } from './main.js';
import { expectNoLockOut, FEW_FAILURES, PASSWORD } from './test/expect-no-lock-out.js';
import { gatehouseOf as gatehouseInExpress } from './test/guide-express.js';
import { gatehouseOf as gatehouseInReactRouter } from './test/guide-react-router.js';

const OWN = new URL('./test/', import.meta.url);
const EXAMPLE = new URL('../../../examples/nextjs/', import.meta.url);

const GUIDES: Readonly<Record<string, URL>> = {
  'reactrouter/gatehouse.server.ts': new URL('guide-react-router.ts', OWN),
  'express/gatehouse.ts': new URL('guide-express.ts', OWN),
  'nextjs/gatehouse.ts': new URL('gatehouse.ts', EXAMPLE),
  'nextjs/proxy.ts': new URL('proxy.ts', EXAMPLE),
};

type SignIn = (forwardedFor: string, member: { email: string; password: string }) => Promise<boolean>;

const isIn = (signedIn: Promise<unknown>) =>
  signedIn.then(
    () => true,
    (error: unknown) => {
      if (!isGatehouseError(error, 'invalid_credentials', 'rate_limited')) throw error;
      return false;
    },
  );

async function start(): Promise<RunningService> {
  const service = await startService(createApp, { dialect: 'libsql', application: 'web', env: FEW_FAILURES });
  vi.stubEnv('GATEHOUSE_URL', service.url);
  return service;
}

const members = async ({ database }: RunningService) => {
  const passwordHash = await knownHash(PASSWORD);
  const member = () => insertTestMember(database, { isConfirmed: true, passwordHash });
  return [await member(), await member()] as const;
};

describe('the guides for servers', () => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  it.each(Object.keys(GUIDES))('print code that tests run: %s', async (name) => {
    expect(blockOf('packages/client-sdk/README.md', `${name}\n`)).toBe(
      await readFile(GUIDES[name] ?? '', 'utf8'),
    );
  });

  it('keep an attacker who guesses passwords from locking others out in React Router', async () => {
    await using service = await start();
    const signsIn: SignIn = (forwardedFor, member) => {
      const headers = { 'x-forwarded-for': forwardedFor };
      return isIn(
        gatehouseInReactRouter(new Request('http://front.test/', { headers })).gatehouse.signIn(member),
      );
    };
    await expectNoLockOut(signsIn, ...(await members(service)));
  });

  it('keep an attacker who guesses passwords from locking others out in Express', async () => {
    await using service = await start();
    const app = express().set('trust proxy', 1);
    app.post('/sign-in', express.json(), async (request, response) => {
      const member = request.body as { email: string; password: string };
      const isSignedIn = await isIn(gatehouseInExpress(request, response).signIn(member));
      response.sendStatus(isSignedIn ? 204 : 403);
    });
    const server = app.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/sign-in`;
    const send = (headers: Record<string, string>, body: object) =>
      fetch(url, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...headers },
        body: JSON.stringify(body),
      });
    try {
      const signsIn: SignIn = async (forwardedFor, member) =>
        (await send({ 'x-forwarded-for': forwardedFor }, member)).status === 204;
      const [victim, other] = await members(service);
      await expectNoLockOut(signsIn, victim, other);
      const { headers } = await send({}, { email: other.email, password: PASSWORD });
      const session = headers.getSetCookie().filter((line) => line.startsWith('__Host-gatehouse='));
      expect(session.at(-1)).toMatch(/^__Host-gatehouse=[^;]+; Max-Age=\d{6}; Path=\/;.*HttpOnly; Secure/);
      const foreign = await send({ origin: 'https://foreign.test' }, { email: other.email, password: '' });
      expect([foreign.status, await foreign.text()]).toEqual([500, expect.stringContaining('another site')]);
    } finally {
      server.close();
    }
  });
});
