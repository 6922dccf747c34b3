import { router } from '@gatehouse/api-main/router';
import { routes } from '@gatehouse/api-main/routes';
import { toolsOf } from '@gatehouse/http/mcp/tools-of';
import type { RunningService } from '@gatehouse/testkit';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { startImpersonationWorld } from '../test/impersonation-world.js';
import { type MachineWorld, startMachineWorld } from '../test/machine-world.js';

/** The scopes of a manager. */
const EVERYTHING = [
  'account.read',
  'member.list',
  'member.manage',
  'conversation.read',
  'subject.remove',
  'social.connect',
  'knowledge.analyze',
  'event.read',
];
const METADATA = '/.well-known/oauth-protected-resource';
const ACCEPT = { accept: 'application/json, text/event-stream' };
const TOOLS = toolsOf(router, routes);

const text = z.tuple([z.object({ type: z.literal('text'), text: z.string() })]);
const refusal = z.looseObject({ code: z.string(), message: z.string() });

/** The official client, connected with a token. */
async function connect(on: RunningService, token: string, headers: Readonly<Record<string, string>> = {}) {
  const client = new Client({ name: 'test', version: '1' });
  const requestInit = { headers: { authorization: `Bearer ${token}`, ...headers } };
  // The types of the SDK are not for exact optional properties.
  const transport = new StreamableHTTPClientTransport(new URL('/mcp', on.url), { requestInit }) as never;
  await client.connect(transport);
  return {
    client,
    async names() {
      return (await client.listTools()).tools.map(({ name }) => name).toSorted();
    },
    /** What a tool answers, or its refusal. */
    async call(name: string, fields: Record<string, unknown> = {}) {
      const { structuredContent, content, isError } = await client.callTool({ name, arguments: fields });
      const [{ text: said }] = text.parse(content);
      if (isError !== true) expect(JSON.parse(said)).toEqual(structuredContent);
      return isError === true
        ? { code: refusal.parse(JSON.parse(said)).code, refusal: JSON.parse(said) as unknown }
        : { data: structuredContent };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

/** Sends a message that no client of the SDK sends. */
async function sendMessage(
  on: RunningService,
  key: string | undefined,
  body: unknown,
  headers: Record<string, string> = {},
) {
  const response = await on.send('/mcp', { bearer: key, body, headers: { ...ACCEPT, ...headers } });
  const said = await response.text();
  const json: unknown = said.startsWith('{') ? JSON.parse(said) : undefined;
  return { status: response.status, json, headers: response.headers };
}

function toolCall(name: unknown, fields: unknown = {}): object {
  return { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: fields } };
}

/** Each cursor of a feed is encrypted again. */
function withoutCursor(data: unknown): unknown {
  return z.looseObject({}).safeParse(data).success ? { ...Object(data), nextCursor: undefined } : data;
}

/** Limits the machine of a world to a role with these permissions. */
async function shrink({ call, account1, machineId }: MachineWorld, permissions: string[]): Promise<void> {
  const saved = await call('role.save', { name: 'Narrow', roleType: 5, permissions }, account1.as);
  const { id } = z.object({ id: z.int() }).parse(saved.data);
  const changed = await call('machine.save', { machineId, name: 'M', customRoleId: id }, account1.as);
  expect(changed.status).toBe(200);
}

describe('the tools of agents', () => {
  it('are the procedures that the key may call, described as in the OpenAPI document', async () => {
    await using world = await startMachineWorld();
    const { key } = await world.newKey(['member.list']);
    await using agent = await connect(world.service, key);
    expect(agent.client.getServerVersion()).toMatchObject({ name: 'api-main', title: 'Gatehouse' });
    const { tools } = await agent.client.listTools();
    expect(tools.map(({ name }) => name).toSorted()).toEqual([
      'member.list',
      'member.search',
      'membership.listAway',
      'role.list',
      'session.me',
    ]);
    const search = tools.find(({ name }) => name === 'member.search');
    expect(search).toMatchObject({
      description: 'Search members by username.',
      inputSchema: { type: 'object', additionalProperties: false },
      outputSchema: { type: 'object', required: ['data', 'page'] },
      annotations: { readOnlyHint: true, openWorldHint: false },
    });
    expect(Object.keys(search?.inputSchema.properties ?? {})).toContain('username');
    expect(TOOLS.get('invitation.create')?.listed.annotations.readOnlyHint).toBe(false);
  });

  it('do no more harm than programs may do', () => {
    const names = [...TOOLS.keys()];
    expect(names).toContain('account.rename');
    for (const grave of ['account.close', 'key.create', 'app.save', 'password.change', 'session.accessToken'])
      expect(names).not.toContain(grave);
    for (const { rule } of TOOLS.values()) {
      const isForPeople = 'fresh' in rule || 'inPerson' in rule;
      expect([rule, isForPeople && !('programs' in rule)]).toEqual([rule, false]);
    }
  });

  it('return what their paths return, with every scope and with few', async () => {
    await using world = await startMachineWorld();
    for (const scopes of [EVERYTHING, ['account.read'], ['member.manage']]) {
      const { key } = await world.newKey(scopes);
      await using agent = await connect(world.service, key);
      const listed = await agent.names();
      for (const name of TOOLS.keys()) {
        const path = `/v1/${name.replaceAll('.', '/')}`;
        const response = await world.service.send(path, { bearer: key, body: {} });
        const { status: _, ...data } = z.looseObject({}).parse(await response.json());
        const { code } = z.looseObject({ code: z.string().optional() }).parse(data['error'] ?? {});
        const expected = response.ok ? { data: withoutCursor(data) } : { code };
        const answer = await agent.call(name);
        expect([name, { ...answer, data: withoutCursor(answer.data) }]).toMatchObject([name, expected]);
        const isClosed = [402, 403].includes(response.status);
        expect([name, listed.includes(name)]).toEqual([name, !isClosed]);
      }
    }
  });

  it('write as their paths do, with the machine in the audit log', async () => {
    await using world = await startMachineWorld();
    const { id: keyId, key } = await world.newKey(EVERYTHING);
    await using agent = await connect(world.service, key);
    await agent.client.listTools();
    const invited = await agent.call('invitation.create', { email: 'new@people.test', roleType: 5 });
    expect(invited).toMatchObject({ data: { data: { email: 'new@people.test', roleType: 5 } } });
    const lines = await world.db.select().from(world.db.tables.auditLog);
    const line = { action: 'invitation.created', actorId: world.machineId, keyId };
    expect(lines).toContainEqual(expect.objectContaining(line));
    const asOwner = { email: 'new@people.test', roleType: 0 };
    expect((await agent.call('invitation.create', asOwner)).code).toBe('permission_denied');
  });

  it('are hidden and refused on every node once the role of the machine shrinks', async () => {
    await using world = await startMachineWorld();
    const { key } = await world.newKey(EVERYTHING);
    await using here = await connect(world.service, key);
    await using there = await connect(world.other, key);
    for (const agent of [here, there]) expect(await agent.names()).toContain('member.list');
    expect((await there.call('member.list')).code).toBe(undefined);
    await shrink(world, ['account.read']);
    expect((await there.call('member.list')).code).toBe('insufficient_scope');
    expect((await here.call('member.list')).code).toBe('insufficient_scope');
    for (const agent of [here, there])
      expect(await agent.names()).toEqual(['session.me', 'subscription.current']);
  });

  it('are refused on every node once the key is revoked', async () => {
    await using world = await startMachineWorld();
    const { id, key } = await world.newKey(EVERYTHING);
    await using there = await connect(world.other, key);
    expect((await there.call('member.list')).code).toBe(undefined);
    await world.call('key.revoke', { keyId: id }, world.account1.as);
    for (const on of [world.other, world.service])
      for (const body of [toolCall('member.list'), { jsonrpc: '2.0', id: 1, method: 'tools/list' }])
        expect(await sendMessage(on, key, body)).toMatchObject({ status: 401 });
    await expect(there.call('member.list')).rejects.toThrow('unauthorized access');
  });

  it('act in the account of the key, whatever account is selected', async () => {
    await using world = await startMachineWorld();
    const { key } = await world.newKey(EVERYTHING);
    const elsewhere = await world.account();
    await using same = await connect(world.service, key, { accountid: String(world.account1.id) });
    expect((await same.call('member.list')).code).toBe(undefined);
    await using other = await connect(world.service, key, { accountid: String(elsewhere.id) });
    expect((await other.call('member.list')).code).toBe('account_forbidden');
    expect(await other.names()).toEqual(['session.me']);
  });

  it('serve people too, in the account that a header selects', async () => {
    await using world = await startMachineWorld();
    const { owner, id } = await world.account();
    const client = { token: owner.token, headers: ACCEPT, body: toolCall('member.list') };
    const selected = await world.service.send('/mcp', { ...client, accountId: id });
    expect(await selected.json()).toMatchObject({
      result: { structuredContent: { data: [{ id: owner.id }] } },
    });
    const none = await world.service.send('/mcp', client);
    expect(JSON.stringify(await none.json())).toContain('account_required');
  });

  it('are read-only while staff act for a member, and each call is an entry in the audit log', async () => {
    await using world = await startImpersonationWorld();
    const { main, root, db } = world;
    const owner = await world.member({ memberships: { 2: 1 } });
    const { token } = await world.start(root, { memberId: owner.id });
    const headers = { token, accountid: '2' };
    const send = async (body: object) =>
      JSON.stringify((await sendMessage(main, undefined, body, headers)).json);
    const listed = await send({ jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(listed).toContain('"name":"member.list"');
    expect(listed).not.toContain('"name":"subject.remove"');
    expect(await send(toolCall('member.list'))).toContain('structuredContent');
    expect(await send(toolCall('subject.remove', { subjectId: 4 }))).toContain('read_only');
    const lines = await db.select().from(db.tables.auditLog);
    const called = lines.filter(({ action }) => action === 'impersonation.called');
    expect(called.map(({ subjectId }) => subjectId)).toEqual(['mcp', 'member.list', 'subject.remove']);
  });

  it('are called at most 120 times a minute with one key, on all nodes together', async () => {
    await using world = await startMachineWorld();
    const { key } = await world.newKey(EVERYTHING);
    world.wait(60_000 - (Date.now() % 60_000));
    await using here = await connect(world.service, key);
    await using there = await connect(world.other, key);
    for (let at = 0; at < 60; at += 1) {
      expect((await here.call('session.me')).code).toBe(undefined);
      expect((await there.call('session.me')).code).toBe(undefined);
    }
    // A node learns of the calls at others when it reports its own.
    await world.service.services.keyUse.flush();
    await world.other.services.keyUse.flush();
    for (const agent of [there, there])
      expect(await agent.call('session.me')).toMatchObject({
        code: 'rate_limited',
        refusal: { retryAfterSeconds: expect.any(Number) },
      });
    expect((await world.by(key, 'session.me')).status).toBe(200);
    expect(await here.names()).toContain('member.list');
    const { key: another } = await world.newKey(EVERYTHING);
    await using other = await connect(world.service, another);
    expect((await other.call('session.me')).code).toBe(undefined);
    world.wait(60_000);
    expect((await here.call('session.me')).code).toBe(undefined);
  });

  it('count against the calls that the key may make in a minute', async () => {
    await using world = await startMachineWorld();
    const { key } = await world.newKey(EVERYTHING, { perMinute: 4 });
    world.wait(60_000 - (Date.now() % 60_000));
    const initialize = {
      jsonrpc: '2.0',
      id: 0,
      method: 'initialize',
      params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } },
    };
    for (const body of [initialize, { jsonrpc: '2.0', id: 1, method: 'tools/list' }])
      expect((await sendMessage(world.service, key, body)).status).toBe(200);
    for (let at = 0; at < 2; at += 1)
      expect((await sendMessage(world.service, key, toolCall('session.me'))).json).toHaveProperty(
        'result.structuredContent',
      );
    const tool = await sendMessage(world.service, key, toolCall('session.me'));
    expect(JSON.stringify(tool.json)).toContain('rate_limited');
    const listed = await sendMessage(world.service, key, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    expect(listed.status).toBe(429);
    expect(listed.headers.get('retry-after')).toMatch(/^\d+$/);
  });
});

describe('the path for agents', () => {
  it('tells an unknown caller where to read how to get a token', async () => {
    await using world = await startMachineWorld();
    const { service } = world;
    const { BASE_URL } = service.services.config;
    const challenge = `Bearer resource_metadata="${BASE_URL}${METADATA}", realm="gatehouse"`;
    for (const bearer of [undefined, 'x', `gthk_${'0'.repeat(39)}`]) {
      const answers = [
        await service.send('/mcp', { bearer, body: toolCall('member.list'), headers: ACCEPT }),
        await service.send('/v1/member/list', { bearer, body: {} }),
        await service.send('/trpc/member.list', { bearer }),
      ];
      for (const { status, headers } of answers)
        expect([status, headers.get('www-authenticate')]).toEqual([401, challenge]);
    }
    for (const path of [METADATA, `${METADATA}/mcp`]) {
      const response = await service.send(path, { headers: { origin: 'https://agents.test' } });
      expect(response.headers.get('access-control-allow-origin')).toBe('*');
      expect(await response.json()).toEqual({
        resource: BASE_URL,
        resource_name: 'Gatehouse',
        authorization_servers: [BASE_URL],
        scopes_supported: ['read', 'manage'],
        bearer_methods_supported: ['header'],
      });
    }
  });

  it('accepts only POST, and nothing from pages of other sites', async () => {
    await using world = await startMachineWorld();
    const { service } = world;
    const { key } = await world.newKey(EVERYTHING);
    for (const method of ['GET', 'DELETE', 'PUT']) {
      const response = await fetch(new URL('/mcp', service.url), {
        method,
        headers: { authorization: `Bearer ${key}`, accept: 'text/event-stream' },
      });
      expect([method, response.status, response.headers.get('allow')]).toEqual([method, 405, 'POST']);
    }
    const foreign = await sendMessage(service, key, toolCall('member.list'), { origin: 'https://evil.test' });
    expect(foreign).toMatchObject({ status: 403, json: { error: { code: 'origin_refused' } } });
    const { BASE_URL, APP_URL } = service.services.config;
    for (const origin of [BASE_URL, new URL(APP_URL).origin])
      expect((await sendMessage(service, key, toolCall('member.list'), { origin })).status).toBe(200);
  });

  it('exists only in development, unless the operator enables it', async () => {
    await using world = await startMachineWorld({ env: { MCP: 'off' } });
    const { key } = await world.newKey(EVERYTHING);
    expect((await sendMessage(world.service, key, toolCall('member.list'))).status).toBe(404);
    expect((await fetch(new URL('/mcp', world.service.url))).status).toBe(405);
    // Applications of people call the API without it.
    const metadata = await world.service.send('/.well-known/oauth-protected-resource');
    const { BASE_URL } = world.service.services.config;
    expect(await metadata.json()).toMatchObject({ resource: BASE_URL, authorization_servers: [BASE_URL] });
    await using other = await startMachineWorld({ env: { NODE_ENV: 'test' } });
    expect((await sendMessage(other.service, undefined, toolCall('member.list'))).status).toBe(404);
    await using third = await startMachineWorld({ env: { NODE_ENV: 'test', MCP: 'on' } });
    expect((await sendMessage(third.service, undefined, toolCall('member.list'))).status).toBe(401);
  });

  it('refuses anything but the message of one request', async () => {
    await using world = await startMachineWorld();
    const { service } = world;
    const { key } = await world.newKey(EVERYTHING);
    const one = toolCall('member.list');
    const status = async (body: unknown, headers?: Record<string, string>) =>
      (await sendMessage(service, key, body, headers)).status;
    expect(await status([one, one])).toBe(400);
    expect(await status([])).toBe(400);
    expect(await status('{"jsonrpc":"2.0"')).toBe(400);
    expect(await status({ ...one, jsonrpc: '1.0' })).toBe(400);
    expect(await status({ ...one, id: null })).toBe(400);
    expect(await status({})).toBe(400);
    expect(await status(toolCall('member.list', { username: 'x'.repeat(100_000) }))).toBe(413);
    expect(await status(JSON.stringify(one), { 'content-type': 'text/plain' })).toBe(415);
    expect(await status('jsonrpc=2.0', { 'content-type': 'application/x-www-form-urlencoded' })).toBe(415);
    expect(await status(one, { accept: 'text/html' })).toBe(406);
    expect(await status(one, { 'mcp-protocol-version': '1999-01-01' })).toBe(400);
    expect(await status({ jsonrpc: '2.0', method: 'notifications/initialized' })).toBe(202);
    expect(await status(one, { 'mcp-protocol-version': '2025-06-18' })).toBe(200);
  });

  it('has no other tool and no other method', async () => {
    await using world = await startMachineWorld();
    const { service } = world;
    const { key } = await world.newKey(EVERYTHING);
    const names = ['__proto__', 'constructor', 'toString', 'member', 'member.LIST', 'account.close', '', 'x'];
    for (const name of names) {
      const { status, json } = await sendMessage(service, key, toolCall(name));
      expect([name, status, json]).toMatchObject([name, 200, { error: { code: -32_602 } }]);
    }
    for (const name of [undefined, null, 1, ['member.list'], {}])
      expect((await sendMessage(service, key, toolCall(name))).json).toHaveProperty('error.code');
    for (const method of ['resources/list', 'prompts/get', 'logging/setLevel', 'tasks/list', '__proto__'])
      expect((await sendMessage(service, key, { jsonrpc: '2.0', id: 1, method })).json).toMatchObject({
        error: { code: -32_601 },
      });
  });

  it('refuses arguments that the path would refuse, and says which', async () => {
    await using world = await startMachineWorld();
    const { service } = world;
    const { key } = await world.newKey(EVERYTHING);
    const issuesOf = async (fields: unknown) => {
      const { json } = await sendMessage(service, key, toolCall('member.list', fields));
      return JSON.stringify(json);
    };
    expect(await issuesOf({ limit: 'many' })).toContain('limit');
    expect(await issuesOf({ nothing: 1 })).toContain('This field is not known here');
    expect(await issuesOf({ constructor: 1 })).toContain('This field is not known here');
    expect(await issuesOf(JSON.parse('{"limit":1,"__proto__":{"isAdmin":true}}'))).not.toContain('isAdmin');
    for (const fields of ['x', 1, ['x']]) expect(await issuesOf(fields)).toContain('error');
    expect(({} as Record<string, unknown>)['isAdmin']).toBe(undefined);
  });
});
