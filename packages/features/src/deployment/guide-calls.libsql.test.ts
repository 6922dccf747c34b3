// @module-tag slow

import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { createApp as createAdminApp } from '@gatehouse/api-admin/app';
import { createApp } from '@gatehouse/api-main/app';
import { sequenceEvents } from '@gatehouse/db/queries/events';
import {
  blockOf,
  createTestFolder,
  developmentEnvironment,
  type RunningService,
  signIn,
  startService,
} from '@gatehouse/testkit';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { z } from 'zod';
import { startEventReceiver } from '../test/event-receiver.js';
import { startFactorWorld } from '../test/factor-world.js';

const run = promisify(execFile);
/** Where programs find the packages that they import. */
const PACKAGE = fileURLToPath(new URL('../../', import.meta.url));

let service: RunningService;
let token: string;
beforeAll(async () => {
  const settings = [
    blockOf('docs/your-own-api.md', 'PRODUCT_PERMISSIONS='),
    blockOf('docs/payments.md', 'BILLING_PLANS='),
  ];
  service = await startService(createApp, {
    dialect: 'libsql',
    application: 'web',
    env: { ...developmentEnvironment(), ...parseEnv(settings.join('\n')), STRIPE_API_KEY: 'sk_test_1' },
  });
  ({ token } = await signIn(service, 'owner@acme.test'));
});
afterAll(() => service?.[Symbol.asyncDispose]());

/** Runs the commands of a guide as the owner of account 1. */
async function shell(script: string, env: Readonly<Record<string, string>> = {}): Promise<string> {
  const variables = { BASE_URL: service.url, GATEHOUSE: service.url, TOKEN: token, ...env };
  const lines = Object.entries(variables).map(([name, value]) => `export ${name}='${value}'\n`);
  const here = script.replaceAll(/http:\/\/(127\.0\.0\.1|localhost):4000/g, service.url);
  const { stdout } = await run('bash', ['--norc', '-eu', '-o', 'pipefail', '-c', `${lines.join('')}${here}`]);
  return stdout.trim();
}

const made = z.looseObject({ data: z.looseObject({ id: z.int() }), key: z.string().optional() });

/** Makes a machine and its key with the commands of a guide, which names the machine that a first one there would be. */
async function keyBy(commands: string): Promise<string> {
  const [define, save, ...rest] = commands.trim().split('\n');
  const { data } = made.parse(JSON.parse(await shell(`${define}\n${save}`)));
  const answer = await shell([define, ...rest].join('\n').replaceAll('13', String(data.id)));
  return made.parse(JSON.parse(answer)).key ?? '';
}

/** The names of all fields at any depth, with the types of their values; a list is like its first value. */
function shapeOf(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, 1).map(shapeOf);
  if (value === null || typeof value !== 'object') return typeof value;
  return Object.fromEntries(
    Object.entries(value)
      .toSorted(([one], [other]) => one.localeCompare(other))
      .map(([name, field]) => [name, shapeOf(field)]),
  );
}

it('the guide to machines creates a machine and its key, and calls with the key', async () => {
  const key = await keyBy(blockOf('docs/machines.md', 'manage machine/save'));
  const answer = await shell(blockOf('docs/machines.md', 'curl -s -X POST'), { KEY: key });
  expect(answer).toContain('"email":"owner@acme.test"');
});

it('the guide to agents lets an assistant act with a key over MCP', async () => {
  const key = await keyBy(blockOf('docs/agents.md', 'manage machine/save'));
  const program = blockOf('docs/agents.md', 'new StreamableHTTPClientTransport')
    .replace('http://127.0.0.1:4000', service.url)
    .replace(/\$\{process\.env\.KEY\}/, key);
  const { stdout: printed } = await run(process.execPath, ['--input-type=module', '--eval', program], {
    cwd: PACKAGE,
  });
  const tools = ['member.list', 'member.search', 'membership.listAway', 'role.list', 'session.me'];
  for (const name of tools) expect(printed).toContain(`'${name}'`);
  expect(printed).toContain("email: 'owner@acme.test'");

  const settings = blockOf('docs/agents.md', '"mcpServers"')
    .replace('http://127.0.0.1:4000', service.url)
    .replace('gthk_…', key);
  const { gatehouse } = z
    .object({
      mcpServers: z.object({
        gatehouse: z.object({
          type: z.literal('http'),
          url: z.url(),
          headers: z.record(z.string(), z.string()),
        }),
      }),
    })
    .parse(JSON.parse(settings)).mcpServers;
  const { status } = await fetch(gatehouse.url, {
    method: 'POST',
    headers: {
      ...gatehouse.headers,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }),
  });
  expect(status).toBe(200);
});

it('the guide to agents registers an agent', async () => {
  // The rest of the block installs the example, and runs its client, as the test of the example does.
  const commands = blockOf('docs/agents.md', '/v1/app/save').split('\n').slice(1, 5).join('\n');
  expect(await shell(commands)).toMatch(/"clientId":"[\w-]+"/);
});

it('registers an MCP server and an agent that may call it as the README of the example says', async () => {
  await using admin = await startService(createAdminApp, {
    dialect: 'libsql',
    application: 'admin',
    database: service.database,
  });
  const guide = (text: string) => blockOf('examples/mcp-server/README.md', text);
  // The lines left out install the example, and run its programs, as the test of the example does.
  const linesOf = (block: string) =>
    block
      .replaceAll('http://localhost:4001', admin.url)
      .split('\n')
      .filter((line) => !/\bnpx\b|^cd /.test(line));
  const [one = '', two = '', call = '', ...server] = linesOf(guide('machine/save'));
  const [signIn = '', save = '', ...rest] = server.filter((line) => /^\w/.test(line));
  const { data } = made.parse(JSON.parse(await shell([one, two, call, signIn, save].join('\n'))));
  const ours = rest.map((line) => line.replaceAll('13', String(data.id)));
  const saved = (await shell([one, two, call, signIn, ...ours].join('\n'))).split('\n');
  expect(saved).toEqual([expect.stringContaining('"id":'), expect.stringContaining('"key":"gthk_')]);
  const agent = [one, two, call, ...linesOf(guide('/v1/app/save'))].join('\n');
  expect(await shell(agent)).toMatch(/"clientId":"[\w-]+"/);
});

it('the guide to events reads the feed, and shows events in their actual form', async () => {
  const changing = { token, accountId: 1, body: { memberId: 7, roleType: 3 } };
  expect((await service.send('/v1/membership/changeRole', changing)).status).toBe(200);
  await sequenceEvents(service.database, randomUUID(), 200);
  const command = blockOf('docs/events.md', '/v1/events?limit=2');
  const few = await shell(command);
  expect(few).toContain('"nextCursor":"v1.');
  const answer: unknown = JSON.parse(await shell(command.replace('?limit=2', '')));
  const { data, nextCursor } = z
    .object({ data: z.array(z.looseObject({ type: z.string() })), nextCursor: z.string() })
    .parse(answer);
  const shown = z
    .object({ data: z.array(z.looseObject({ type: z.string() })), nextCursor: z.string() })
    .parse(JSON.parse(blockOf('docs/events.md', '"nextCursor": "v1.')));
  const changed = data.find(({ type }) => type === shown.data[0]?.type);
  expect(shapeOf(changed)).toEqual(shapeOf(shown.data[0]));
  expect(nextCursor).toMatch(/^v1\./);
});

it('the guide to events adds an endpoint', async () => {
  await using receiver = await startEventReceiver();
  const command = blockOf('docs/events.md', '/v1/eventEndpoint/save');
  const answer = await shell(command.replace('https://hooks.example.com/gatehouse', receiver.url));
  expect(answer).toContain('"secret":"whsec_');
});

it('the function in the guide to events verifies a delivery without a library', async () => {
  const program = blockOf('docs/events.md', 'export function verifyEvent');
  const { verifyEvent } = (await import(
    /* @vite-ignore */ `data:text/javascript,${encodeURIComponent(program)}`
  )) as { verifyEvent: (secret: string, headers: object, body: string, nowSeconds?: number) => unknown };
  const secret = `whsec_${Buffer.alloc(32, 7).toString('base64')}`;
  const body = '{"type":"endpoint.ping"}';
  const at = new Date();
  const headers = {
    'webhook-id': 'evt_1',
    'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
    'webhook-signature': new Webhook(secret).sign('evt_1', at, body),
  };
  expect(verifyEvent(secret, headers, body)).toEqual({ type: 'endpoint.ping' });
  expect(() => verifyEvent(secret, headers, `${body} `)).toThrow('not signed');
  expect(() => verifyEvent(secret, headers, body, Date.now() / 1000 + 301)).toThrow('too old');
});

it('the guide to product permissions configures them', async () => {
  const answer = await service.send('/auth/me', { token, accountId: 1 });
  expect(await answer.text()).toMatch(/"app\.invoice\.read".*"app\.invoice\.send"/);
});

it('the guide to your own API introspects a token, once root staff have registered the API', async () => {
  await using admin = await startService(createAdminApp, {
    dialect: 'libsql',
    application: 'admin',
    database: service.database,
  });
  const root = await signIn(admin, 'root@gatehouse.test');
  const post = async (request: string) => {
    const [, path = '', body = ''] = /^POST (\S+)\n([\s\S]+)$/.exec(request.trim()) ?? [];
    const answer = await admin.send(path, {
      token: root.token,
      body: z.looseObject({}).parse(JSON.parse(body)),
    });
    expect([path, answer.status]).toEqual([path, 200]);
    return made.parse(await answer.json());
  };
  const { data: machine } = await post('POST /v1/machine/save\n{ "name": "Invoices" }');
  const { data: resource } = await post(blockOf('docs/your-own-api.md', '"ttlSeconds": 120 }'));
  const [create = '', save = ''] = blockOf('docs/your-own-api.md', '"perMinute": 6000')
    .replaceAll('71', String(machine.id))
    .replace('"resourceId": 3', `"resourceId": ${resource.id}`)
    .split('\n\n');
  const { key = '' } = await post(create);
  await post(save);
  const issued = await service.send('/v1/session/accessToken', {
    token,
    accountId: 1,
    body: { audience: 'https://api.example.com' },
  });
  const { data } = z
    .looseObject({ data: z.looseObject({ accessToken: z.string() }) })
    .parse(await issued.json());
  const command = blockOf('docs/your-own-api.md', '/oauth/introspect');
  const said: unknown = JSON.parse(await shell(command, { KEY: key, TOKEN: data.accessToken }));
  expect(said).toMatchObject({ active: true });
});

it('the guide to payments shows the subscriptions of an account', async () => {
  const listed = z.looseObject({ subscription: z.looseObject({}) });
  const answer = listed.parse(JSON.parse(await shell(blockOf('docs/payments.md', '/subscriptionList'))));
  const shown = listed.parse(JSON.parse(blockOf('docs/payments.md', '"nextCursor": null')));
  expect(Object.keys(answer).toSorted()).toEqual(Object.keys(shown).toSorted());
  expect(Object.keys(answer.subscription)).toEqual(Object.keys(shown.subscription));
  expect(await (await service.send('/v1/billing/plans', { token, accountId: 1 })).text()).toContain(
    '"priceId":"price_1"',
  );
  const me = z
    .looseObject({ currentAccount: z.looseObject({ subscription: z.looseObject({}) }) })
    .parse(await (await service.send('/auth/me', { token, accountId: 1 })).json());
  const summary = JSON.parse(`{${blockOf('docs/payments.md', '"collectionPaused"')}}`) as {
    subscription: object;
  };
  expect(Object.keys(me.currentAccount.subscription)).toEqual(Object.keys(summary.subscription));
});

it('the guide to brands configures a name and links, which the service shows', async () => {
  await using folder = await createTestFolder();
  const brand = blockOf('docs/brand.md', '"accents"');
  await writeFile(`${folder.path}/brand.json`, brand);
  await writeFile(
    `${folder.path}/acme.svg`,
    '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 1 1"><path d="M0 0h1v1z"/></svg>',
  );
  const env = { ...developmentEnvironment(), PORTAL_BRAND: `${folder.path}/brand.json` };
  await using branded = await startService(createApp, { dialect: 'libsql', application: 'web', env });
  const settings = await (await branded.send('/v1/portal/settings')).text();
  for (const text of ['"name":"Acme"', 'https://acme.example/imprint', 'Datenschutz'])
    expect(settings).toContain(text);
});

it('the guides show the second step and the fresh proof in their actual forms', async () => {
  await using world = await startFactorWorld({}, 'libsql');
  const member = await world.enrolled();
  const { body } = await world.signIn(member);
  const shown: unknown = JSON.parse(blockOf('docs/second-factor.md', '"second_factor_required"'));
  expect(shapeOf(body)).toEqual(shapeOf(shown));

  const other = await world.member();
  world.wait(11 * 60_000);
  const { body: refused } = await world.call('member.deleteOwn', {}, { token: other.token });
  const proof = JSON.parse(blockOf('docs/accounts.md', '"verification_required"')) as object;
  const { message: _message, ...error } = z.looseObject({}).parse(refused['error']);
  expect(error).toEqual(proof);
});
