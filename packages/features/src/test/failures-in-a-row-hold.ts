import { createApp } from '@gatehouse/api-main/app';
import { sha256Hex } from '@gatehouse/auth-core';
import { createTestDatabase, seedTestDatabase, startService, type TestDialect } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { loginFrom } from './login-from.js';

const HOUR_MS = 3_600_000;
const DAY_MS = 86_400_000;
const email = 'owner@acme.test';
const right = { email, password: 'Lantern-Harbor-42' };
const wrong = (login = email) => ({ email: login, password: 'not-the-password' });
const OWNER = '127.0.8.1';
const ATTACKERS = ['127.0.8.2', '127.0.8.3', '127.0.8.4'];
const TRANSPORTS = ['/login', '/authenticate', '/webauthenticate', '/desigrauthenticate'];
const SPELLINGS = [email, 'OWNER@acme.test', '  owner@acme.test ', 'ｏｗｎｅｒ@acme.test'];

/** Tests of wrong passwords in a row, for each store of the windows; `env` selects the store. */
export function failuresInARowHold(dialect: TestDialect, env: () => Record<string, string>): void {
  async function startWorld(more: Record<string, string> = {}) {
    const clock = { nowMs: Date.now() };
    const own = await createTestDatabase(dialect);
    await seedTestDatabase(own.database);
    const start = () =>
      startService(createApp, {
        dialect,
        application: 'web',
        database: own.database,
        now: () => clock.nowMs,
        env: { LOGIN_FAILURES_PER_ADDRESS: '100000', ...env(), ...more },
      });
    const nodes = [await start(), await start()] as const;
    return {
      nodes,
      database: own.database,
      /** Lets time pass, and ends the windows, which Redis counts by its own clock. */
      async pass(ms: number) {
        clock.nowMs += ms;
        await nodes[0].services.limits.remove('login:');
      },
      async [Symbol.asyncDispose]() {
        for (const node of nodes) await node[Symbol.asyncDispose]();
        await own[Symbol.asyncDispose]();
      },
    };
  }

  it('are compared at most 100 times in three days, over two nodes, all logins and spellings, and then only at a familiar address', async () => {
    await using world = await startWorld();
    const { nodes } = world;
    expect((await loginFrom(nodes[0], OWNER, right)).status).toBe(200);
    let sent = 0;
    let compared = 0;
    const waits: number[] = [];
    for (let elapsedMs = 0; elapsedMs < 3 * DAY_MS; elapsedMs += HOUR_MS) {
      for (let refused = 0; refused < 1; sent += 1) {
        const at = <Item>(items: readonly Item[]) => items[sent % items.length] as Item;
        const path = at(TRANSPORTS);
        const answer = await loginFrom(at(nodes), at(ATTACKERS), wrong(at(SPELLINGS)), {}, path);
        expect([401, 429]).toContain(answer.status);
        if (answer.status === 401) compared += 1;
        else refused += 1;
        const wait = Number(answer.headers['retry-after']);
        if (wait > (waits.at(-1) ?? 15 * 60)) waits.push(wait);
      }
      await world.pass(HOUR_MS);
    }
    expect(compared).toBe(100);
    expect(waits.map((seconds) => seconds / 60)).toEqual([180, 900, 1440]);
    const locked = nodes.flatMap(({ logLines }) =>
      logLines.filter((line) => line.includes('"login.locked"')),
    );
    expect(locked.length).toBeGreaterThan(0);
    expect(locked.every((line) => line.includes('"memberId":3'))).toBe(true);

    await world.pass(20 * DAY_MS);
    expect((await loginFrom(nodes[0], ATTACKERS[0] ?? '', right)).status).toBe(429);
    expect((await loginFrom(nodes[1], OWNER, right)).status).toBe(200);
    expect((await loginFrom(nodes[0], '127.0.8.9', right)).status).toBe(200);
  }, 300_000);

  it('do not lock out the owner at a familiar address, where a sign-in ends the row', async () => {
    await using world = await startWorld({ LOGIN_FAILURES_PER_MEMBER: '5' });
    const { nodes } = world;
    const inRows: number[] = [];
    for (let inARow = 0, hour = 0; hour <= 24; hour += 1, await world.pass(HOUR_MS)) {
      if (hour % 12 === 0) {
        expect((await loginFrom(nodes[1], OWNER, right)).status).toBe(200);
        inRows.push(inARow);
        inARow = 0;
      }
      for (let status = 401; status === 401; inARow += status === 401 ? 1 : 0) {
        ({ status } = await loginFrom(nodes[hour % 2 === 0 ? 0 : 1], '127.0.8.2', wrong()));
      }
    }
    expect(inRows).toEqual([0, 20, 20]);
  }, 120_000);

  it('lock an unknown login name in the same way', async () => {
    await using world = await startWorld();
    const nobody = 'nobody@acme.test';
    const answersTo = async (login: string, holder: string) => {
      const seen: string[] = [];
      for (const before of [0, 38, 78, 98]) {
        const counter = { holder, origin: '', waitUntilMs: 0, failures: before, lastFailureAtMs: 0 };
        const { loginFailures } = world.database.tables;
        await world.database.write(world.database.delete(loginFailures));
        if (before > 0) await world.database.insert(loginFailures, counter);
        for (let index = 0; index < 3; index += 1) {
          const { status, headers } = await loginFrom(world.nodes[0], '127.0.8.2', wrong(login));
          seen.push([status, headers['retry-after'], headers['ratelimit-policy']].join(' '));
        }
      }
      return seen;
    };
    const known = await answersTo(email, 'member:3');
    expect(await answersTo(nobody, `unknown:${sha256Hex(nobody)}`)).toEqual(known);
    expect(known.map((answer) => answer.slice(0, 3)).join(' ')).toBe(
      '401 401 401 401 401 429 401 401 429 401 401 429',
    );
    expect(known.at(-4)).toBe('429 57600 "login-row";q=20;w=57600');
    expect(known.at(-1)).toBe('429 86400 "login-row";q=100;w=86400');
  });

  it('stop at 100 even if many are sent at once to two nodes', async () => {
    await using world = await startWorld();
    const { loginFailures } = world.database.tables;
    const row = { holder: 'member:3', origin: '', waitUntilMs: 0, failures: 92, lastFailureAtMs: 0 };
    await world.database.insert(loginFailures, row);
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, index) =>
        loginFrom(world.nodes[index % 2 === 0 ? 0 : 1], `127.0.8.${10 + index}`, wrong()),
      ),
    );
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(8);
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(12);
  });

  it('start again from zero after a success at any address', async () => {
    await using world = await startWorld();
    const { loginFailures } = world.database.tables;
    const row = { holder: 'member:3', origin: '', waitUntilMs: 0, failures: 98, lastFailureAtMs: 0 };
    await world.database.insert(loginFailures, row);
    expect((await loginFrom(world.nodes[0], '127.0.8.5', wrong())).status).toBe(401);
    expect((await loginFrom(world.nodes[1], '127.0.8.6', right)).status).toBe(200);
    for (let index = 0; index < 3; index += 1) {
      expect((await loginFrom(world.nodes[0], '127.0.8.5', wrong())).status).toBe(401);
    }
    const [counter] = await world.database.select().from(loginFailures);
    expect(counter).toMatchObject({ failures: 3, waitUntilMs: 0 });
  });
}
