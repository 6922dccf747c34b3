import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import {
  createTestDatabase,
  insertTestMember,
  type SpawnedService,
  seedTestDatabase,
  spawnService,
  type TestMember,
} from '@gatehouse/testkit';
import express, { type ErrorRequestHandler } from 'express';
import { createVerifier, isAccessRefused } from '../verify.js';

type Dialect = Parameters<typeof createTestDatabase>[0];

/** The credentials of a request to the product's API. */
type Caller = Readonly<Record<string, string>>;

/** One round: an account with an owner, and the node that the change goes to. */
interface Scene {
  readonly accountId: number;
  readonly accountName: string;
  readonly owner: TestMember;
  member(roleType: number): Promise<TestMember>;
  /** Calls a procedure as the owner; `data` and `key` of the answer. */
  call(procedure: string, input: object): Promise<{ readonly id: number; readonly key: string }>;
  /** Calls a procedure of the admin service as root staff. */
  asStaff(procedure: string, input: object): Promise<void>;
  logOut(token: string): Promise<void>;
}

interface Change {
  readonly caller: Caller;
  /** Takes the access away; resolves with the answer. */
  take(): Promise<unknown>;
}

const GUARDED = 'member.list';
const WIDE = { name: 'Desk', roleType: 3, permissions: ['account.read', GUARDED] };
const NARROW = { ...WIDE, permissions: ['account.read'] };

/** Every kind of change, with the caller who loses access. */
const CHANGES: Readonly<Record<string, (scene: Scene) => Promise<Change>>> = {
  async 'key revoked'(scene) {
    const { caller, keyId } = await machineIn(scene, { roleType: 2 });
    return { caller, take: () => scene.call('key.revoke', { keyId }) };
  },
  async 'key replaced'(scene) {
    const { caller, keyId } = await machineIn(scene, { roleType: 2 });
    return { caller, take: () => scene.call('key.rotate', { keyId, overlapHours: 0 }) };
  },
  async 'machine removed'(scene) {
    const { caller, machineId } = await machineIn(scene, { roleType: 2 });
    return { caller, take: () => scene.call('machine.remove', { machineId }) };
  },
  async 'role of a machine'(scene) {
    const { caller, machineId } = await machineIn(scene, { roleType: 2 });
    return { caller, take: () => scene.call('machine.save', { machineId, name: 'Worker', roleType: 5 }) };
  },
  async 'custom role of a machine'(scene) {
    const { id: customRoleId } = await scene.call('role.save', WIDE);
    const { caller } = await machineIn(scene, { customRoleId });
    return { caller, take: () => scene.call('role.save', { customRoleId, ...NARROW }) };
  },
  async 'custom role of a member'(scene) {
    const member = await scene.member(5);
    const { id: customRoleId } = await scene.call('role.save', WIDE);
    await scene.call('membership.changeRole', { memberId: member.id, customRoleId });
    return {
      caller: callerIn(scene, member),
      take: () => scene.call('role.save', { customRoleId, ...NARROW }),
    };
  },
  async 'role of a member'(scene) {
    const member = await scene.member(2);
    const take = () => scene.call('membership.changeRole', { memberId: member.id, roleType: 5 });
    return { caller: callerIn(scene, member), take };
  },
  async 'membership removed'(scene) {
    const member = await scene.member(2);
    return {
      caller: callerIn(scene, member),
      take: () => scene.call('membership.remove', { memberId: member.id }),
    };
  },
  async 'account closed'(scene) {
    const caller = callerIn(scene, await scene.member(2));
    return { caller, take: () => scene.call('account.close', { name: scene.accountName }) };
  },
  async 'account of a machine closed'(scene) {
    const { caller } = await machineIn(scene, { roleType: 2 });
    return { caller, take: () => scene.call('account.close', { name: scene.accountName }) };
  },
  async 'member banned'(scene) {
    const member = await scene.member(2);
    return {
      caller: callerIn(scene, member),
      take: () => scene.asStaff('member.ban', { memberId: member.id }),
    };
  },
  async 'session ended'(scene) {
    const member = await scene.member(2);
    return { caller: callerIn(scene, member), take: () => scene.logOut(member.token) };
  },
};

/** The totals of all rounds. */
export interface OwnApiReport {
  readonly rounds: number;
  /** Requests that began after the answer to the change, and were allowed. */
  readonly late: readonly string[];
  /** Callers that were refused before the change, and answers that are neither 200 nor a refusal. */
  readonly faults: readonly string[];
  readonly kinds: number;
}

/**
 * Takes access away on one node while an API in Express asks the other node about callers, with requests under way, and sends the
 * next request as soon as the change is answered.
 */
export async function raceOwnApi(dialect: Dialect, total: number): Promise<OwnApiReport> {
  await using own = await createTestDatabase(dialect);
  const db = own.database;
  await seedTestDatabase(db);
  const options = { databaseUrl: own.url, env: { LOG_LEVEL: 'error' } };
  await using first = await spawnService('api-main', options);
  await using second = await spawnService('api-main', options);
  await using admin = await spawnService('api-admin', options);
  await using asksFirst = await startOwnApi(first.url);
  await using asksSecond = await startOwnApi(second.url);
  const root = await insertTestMember(db, { roleType: 0, isPersonnel: true, isConfirmed: true });
  const late: string[] = [];
  const faults: string[] = [];
  const kinds = Object.entries(CHANGES);

  async function newScene(node: SpawnedService): Promise<Scene> {
    const member = (roleType: number) =>
      insertTestMember(db, { isConfirmed: true, memberships: { [accountId]: roleType } });
    const owner = await insertTestMember(db, { isConfirmed: true });
    const { accounts, memberships, subscriptions } = db.tables;
    const nowMs = Date.now();
    const at = { createdAtMs: nowMs, updatedAtMs: nowMs };
    const accountName = `Workshop ${owner.id}`;
    const accountId = await db.insert(accounts, {
      name: accountName,
      nameKey: accountName.toLowerCase(),
      ownerId: owner.id,
      ...at,
    });
    await db.insert(memberships, { memberId: owner.id, accountId, roleType: 1, ...at });
    const trialEndsAtMs = nowMs + 86_400_000;
    await db.insert(subscriptions, { accountId, state: 'trialing', trialEndsAtMs, ...at });
    return {
      accountId,
      accountName,
      owner,
      member,
      call: (procedure, input) => post(node, procedure, { token: owner.token, accountId, body: input }),
      async asStaff(procedure, input) {
        await post(admin, procedure, { token: root.token, body: input });
      },
      async logOut(token) {
        const { status } = await node.send('/auth/logout', { token, method: 'POST' });
        if (status !== 200) throw new Error(`The sign-out answers ${status}`);
      },
    };
  }

  async function round(at: number): Promise<void> {
    const [name, make] = kinds[at % kinds.length] ?? [];
    if (name === undefined || make === undefined) return;
    const [node, api] = Math.floor(at / kinds.length) % 2 === 0 ? [first, asksSecond] : [second, asksFirst];
    const { caller, take } = await make(await newScene(node));
    const before = await api.status(caller);
    if (before !== 200) faults.push(`${name}: ${before} before`);
    // Requests under way are not the answer to the request after the change.
    const onTheirWay = [api.status(caller), api.status(caller)];
    await take();
    const after = await api.status(caller);
    if (after === 200) late.push(name);
    else if (after !== 401 && after !== 403) faults.push(`${name}: ${after} after`);
    await Promise.all(onTheirWay);
  }

  const side = async (offset: number, sides: number) => {
    for (let at = offset; at < total; at += sides) await round(at);
  };
  await Promise.all([side(0, 3), side(1, 3), side(2, 3)]);
  return { rounds: total, late, faults, kinds: kinds.length };
}

function callerIn({ accountId }: Scene, { token }: TestMember): Caller {
  return { token, accountid: String(accountId) };
}

async function machineIn(scene: Scene, role: { roleType: number } | { customRoleId: number }) {
  const { id: machineId } = await scene.call('machine.save', { name: 'Worker', ...role });
  const made = await scene.call('key.create', { machineId, name: 'Worker', scopes: [GUARDED] });
  return { machineId, keyId: made.id, caller: { authorization: `Bearer ${made.key}` } };
}

async function post(
  node: SpawnedService,
  procedure: string,
  request: { readonly token: string; readonly accountId?: number; readonly body: object },
): Promise<{ readonly id: number; readonly key: string }> {
  const response = await node.send(`/v1/${procedure.replaceAll('.', '/')}`, request);
  const text = await response.text();
  if (response.status !== 200) throw new Error(`${procedure} answers ${response.status} ${text}`);
  const { data, key } = JSON.parse(text) as { data?: { id?: number }; key?: string };
  return { id: data?.id ?? 0, key: key ?? '' };
}

/** An API in Express that needs a permission, and asks one node of the service. */
async function startOwnApi(url: string) {
  const needs = createVerifier({ url }).require(GUARDED);
  const refusals: ErrorRequestHandler = (error, _, response, next) => {
    if (isAccessRefused(error)) response.status(error.status).json({ code: error.code });
    else next(error);
  };
  const app = express().set('env', 'test');
  app.get('/colleagues', async (request, response) => {
    response.json((await needs(request)).member.id);
  });
  app.use(refusals);
  const server = app.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    async status(headers: Caller): Promise<number> {
      const response = await fetch(`http://127.0.0.1:${port}/colleagues`, { headers });
      await response.arrayBuffer();
      return response.status;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise<void>((resolve) => server.close(() => resolve()));
    },
  };
}
