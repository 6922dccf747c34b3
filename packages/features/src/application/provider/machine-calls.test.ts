import { setTimeout } from 'node:timers/promises';
import { findApplicationById, setApplication } from '@gatehouse/db/queries/applications';
import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import { lockAccountRows } from '@gatehouse/db/queries/lock-rows';
import type { RunningService } from '@gatehouse/testkit';
import * as oauth from 'openid-client';
import { describe, expect, it } from 'vitest';
import { callWithBearer as call } from '../../test/call-with-bearer.js';
import {
  type MachineApplicationWorld,
  startMachineApplicationWorld,
} from '../../test/machine-application-world.js';
import { insertTestMachine } from '../../test/test-machines.js';

const MEMBERS = '/v1/member/list';

/** An application whose machine may do what managers may. */
async function start(options?: Parameters<typeof startMachineApplicationWorld>[0]) {
  const started = await startMachineApplicationWorld(options);
  const { by, machineId } = started;
  await succeed(by('/v1/machine/save', { machineId, name: 'Importer', roleType: 2 }));
  return started;
}

async function succeed(sent: Promise<Response>): Promise<void> {
  const response = await sent;
  expect([response.status, await response.text()]).toEqual([200, expect.any(String)]);
}

/** A token for this API. */
async function tokenOf({ config, world }: MachineApplicationWorld, scope?: string): Promise<string> {
  const parameters = { resource: world.baseUrl, ...(scope === undefined ? {} : { scope }) };
  return (await oauth.clientCredentialsGrant(config, parameters)).access_token;
}

const refusal = (promise: Promise<unknown>) =>
  promise.then(
    () => undefined,
    (error: unknown) => (error instanceof oauth.ResponseBodyError ? error.error : error),
  );

const rename = (on: RunningService, token: string, name = 'Elsewhere') =>
  call(on, token, '/v1/account/rename', { body: { name } });

/** Gives the machine its own role with these permissions. */
async function giveRole(
  { by, machineId }: MachineApplicationWorld,
  permissions: readonly string[],
): Promise<void> {
  const made = await by('/v1/role/save', { name: `Role ${permissions.length}`, roleType: 5, permissions });
  const { data } = (await made.json()) as { data: { id: number } };
  await succeed(by('/v1/machine/save', { machineId, name: 'Importer', customRoleId: data.id }));
}

const MANAGING = ['account.read', 'account.manage', 'member.list'];

describe('a machine that calls with a token of its application', () => {
  it('acts in its account over each transport, within the scopes of the token', async () => {
    await using started = await start({ scopes: ['read', 'member.list', 'account.manage'] });
    const { world, machineId } = started;
    const { main, other } = world;
    await giveRole(started, MANAGING);
    const token = await tokenOf(started, 'member.list');
    for (const node of [main, other])
      for (const path of [MEMBERS, '/trpc/member.list']) {
        expect([path, (await call(node, token, path)).status]).toEqual([path, 200]);
        expect([path, (await call(node, token, path, { account: 1 })).status]).toEqual([path, 200]);
        expect([path, (await call(node, token, path, { account: 2 })).status]).toEqual([path, 403]);
      }
    expect((await call(main, token, MEMBERS, { account: 2 })).code).toBe('account_forbidden');
    expect((await rename(other, token)).code).toBe('insufficient_scope');
    expect((await rename(other, await tokenOf(started))).code).toBe('ok');

    const me = await call(other, token, '/v1/session/me');
    expect(me.body).toMatchObject({
      member: { id: machineId },
      level: 1,
      isPersonnel: false,
      memberships: [{ accountId: 1, permissions: ['member.list'] }],
      key: null,
    });
    const tools = (sent: object) =>
      world.main.send('/mcp', {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, accept: 'application/json, text/event-stream' },
        body: { jsonrpc: '2.0', id: 1, ...sent },
      });
    const listed = (await (await tools({ method: 'tools/list' })).json()) as {
      result: { tools: { name: string }[] };
    };
    const names = listed.result.tools.map(({ name }) => name);
    expect(names).toContain('member.list');
    expect(names).not.toContain('account.rename');
    const params = { name: 'member.list', arguments: { limit: 1 } };
    const called = (await (await tools({ method: 'tools/call', params })).json()) as {
      result: { structuredContent: { data: unknown[] } };
    };
    expect(called.result.structuredContent.data).toHaveLength(1);
  });

  it('may do what its scopes and its role both permit, and nothing that people must do in person', async () => {
    await using started = await start({ scopes: ['read', 'manage'] });
    const { main } = started.world;
    const token = await tokenOf(started, 'read');
    expect((await call(main, token, MEMBERS)).code).toBe('ok');
    expect((await rename(main, token)).code).toBe('insufficient_scope');
    const both = await tokenOf(started, 'read manage');
    await giveRole(started, ['account.read', 'member.list']);
    expect((await rename(main, both)).code).toBe('insufficient_scope');
    await giveRole(started, MANAGING);
    expect((await rename(main, both)).code).toBe('ok');
    for (const path of ['/v1/app/list', '/v1/key/list', '/v1/session/list', '/v1/consent/applications'])
      expect([path, (await call(main, both, path)).code]).toEqual([path, 'permission_denied']);
    const body = { machineId: started.machineId };
    expect((await call(main, both, '/v1/machine/remove', { body })).code).toBe('permission_denied');
    expect((await call(started.world.admin, both, '/v1/account/list')).code).not.toBe('ok');
  });

  it('gets tokens only for this API, and none that no API would accept', async () => {
    await using started = await start({ scopes: ['member.list'] });
    const { config, world } = started;
    const plain = await oauth.clientCredentialsGrant(config, { scope: 'member.list' });
    expect((await call(world.main, plain.access_token, MEMBERS)).code).toBe('401');
    const ask = (parameters: Record<string, string>) =>
      refusal(oauth.clientCredentialsGrant(config, parameters));
    expect(await ask({ resource: 'https://crm.example.com' })).toBe('invalid_target');
    expect(await ask({ resource: `${world.baseUrl}/`, scope: 'member.list' })).toBeUndefined();
    expect(await ask({ resource: world.baseUrl, scope: 'member.manage' })).toBe('invalid_scope');
    await giveRole(started, ['account.read']);
    expect(await ask({ resource: world.baseUrl })).toBe('invalid_scope');
  });

  it('is named with its application in the audit log, and as a machine in events', async () => {
    await using started = await start({ scopes: MANAGING });
    const { world, machineId, application } = started;
    await giveRole(started, MANAGING);
    const token = await tokenOf(started);
    expect((await rename(world.main, token)).code).toBe('ok');
    const listed = await call(world.main, token, '/v1/audit/listOwn?action=account.renamed');
    expect(listed.body.data).toMatchObject([
      { actorId: machineId, keyId: null, application: { id: application.id, name: 'Wiki' } },
    ]);
    const rows = await world.db.select().from(world.db.tables.events);
    expect(rows.findLast(({ type }) => type === 'account.updated')).toMatchObject({
      actorKind: 'machine',
      actorId: machineId,
    });
  });

  it('may make 600 calls a minute, however often its token is renewed', { timeout: 60_000 }, async () => {
    // No minute ends meanwhile.
    const nowMs = Date.now();
    await using started = await start({ now: () => nowMs });
    const { main } = started.world;
    const token = await tokenOf(started);
    for (let sent = 0; sent < 600; sent += 100) {
      const answers = await Promise.all(Array.from({ length: 100 }, () => call(main, token, MEMBERS)));
      expect(new Set(answers.map(({ code }) => code))).toEqual(new Set(['ok']));
    }
    expect((await call(main, await tokenOf(started), MEMBERS)).code).toBe('rate_limited');
  });

  it('reads only the change log from the database once a node knows the token', async () => {
    await using started = await start();
    const { main } = started.world;
    const token = await tokenOf(started);
    await call(main, token, '/v1/session/me');
    const { access } = main.services;
    const before = access.statistics.loads;
    expect(main.services.tokens.remembers('bearer', token)).toBe(true);
    await call(main, token, '/v1/session/me');
    expect(access.statistics.loads).toBe(before);
  });

  it.each<[string, string, object | undefined]>([
    ['its token expires', '401', undefined],
    ['its application is switched off', '401', { active: false }],
    ['its application acts as another machine', '401', { machineId: 1 }],
    ['its application may have less', 'insufficient_scope', { scopes: ['account.read'] }],
  ])('changes nothing if %s while the change waits in the queue', async (_, code, fields) => {
    let later = 0;
    await using started = await start({ scopes: MANAGING, now: () => Date.now() + later });
    const { main, db } = started.world;
    await giveRole(started, MANAGING);
    const token = await tokenOf(started);
    expect((await rename(main, token)).code).toBe('ok');
    const waiting = await changeAccess(db, {}, async (tx) => {
      await lockAccountRows(tx, [1], 'exclusive');
      const sent = rename(main, token, 'Late');
      await setTimeout(500);
      if (fields === undefined) later = 16 * 60_000;
      else await changeApplication(tx, started, fields);
      return { sent };
    });
    expect((await waiting.sent).code).toBe(code);
  });
});

async function changeApplication(
  tx: AccessTransaction,
  { application: { id } }: MachineApplicationWorld,
  fields: object,
): Promise<void> {
  const row = await findApplicationById(tx, id);
  if (row === undefined) throw new Error('There is no application');
  await setApplication(tx, { ...row, ...fields, nowMs: Date.now() });
}

describe('the access of a machine through its application ends with the next request on the other node', () => {
  it.each<[string, string, (started: MachineApplicationWorld, token: string) => Promise<unknown>]>([
    [
      'the machine is removed',
      '401',
      ({ by, machineId }) => succeed(by('/v1/machine/remove', { machineId })),
    ],
    ['its role holds less', 'insufficient_scope', (started) => giveRole(started, ['account.read'])],
    [
      'the application is removed',
      '401',
      ({ by, application: { id } }) => succeed(by('/v1/app/remove', { applicationId: id })),
    ],
    [
      'the application is switched off',
      '401',
      ({ by, application: { id } }) => succeed(by('/v1/app/save', { applicationId: id, active: false })),
    ],
    [
      'the application may no longer have the scope',
      'insufficient_scope',
      ({ by, application: { id } }) =>
        succeed(by('/v1/app/save', { applicationId: id, scopes: ['account.read'] })),
    ],
    [
      'the application acts as another machine',
      '401',
      async ({ world, by, application: { id } }) => {
        const machineId = await insertTestMachine(world.db, { accountId: 1, createdById: 1 });
        await succeed(by('/v1/app/save', { applicationId: id, machineId }));
      },
    ],
    ['the application revokes the token', '401', ({ config }, token) => oauth.tokenRevocation(config, token)],
    [
      'the account is closed',
      'account_forbidden',
      ({ world: { admin, root } }) =>
        succeed(admin.send('/v1/account/remove', { token: root.token, body: { accountId: 1 } })),
    ],
  ])('when %s', async (_, code, end) => {
    await using started = await start();
    const { main, other } = started.world;
    const token = await tokenOf(started, 'member.list');
    for (const node of [main, other]) expect((await call(node, token, MEMBERS)).code).toBe('ok');
    await end(started, token);
    for (const node of [other, main]) expect((await call(node, token, MEMBERS)).code).toBe(code);
  });
});
