// @module-tag slow

import { blockOf, findFreePort, insertTestMember, startExample } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { EXAMPLE, startExampleMcpWorld } from '../test/example-mcp-world.js';

type World = Awaited<ReturnType<typeof startExampleMcpWorld>>;

/** What a guide runs the example's client with. */
const clientOf = (commands: string) => /^npx tsx client\.ts (.*?)(?: +#.*)?$/m.exec(commands)?.[1] ?? '';

/** Runs the example's client, registered as an application, until the member has agreed to what it asks for. */
async function signIn(world: World, words: string, scopes: readonly string[]) {
  const { clientId } = await world.application({
    name: 'Helper',
    type: 'native',
    redirectUris: ['http://127.0.0.1/callback'],
    scopes: ['read', 'manage'],
    resources: [world.origin],
  });
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
  const args = words.replace('CLIENT_ID', clientId).replace('http://127.0.0.1:5001', world.origin).split(' ');
  const client = startExample(EXAMPLE, ['client.ts', ...args]);
  const browser = world.browser(member);
  const { url, page } = await browser.visit(await client.prints(/http:\S+/));
  const agreed = await browser.visit(url, { account: '1', scopes });
  expect(await (await fetch(agreed.url)).text()).toBe('You can close this page.');
  return { client, member, page };
}

async function withdraw({ main }: World, token: string): Promise<void> {
  const list = await main.send('/v1/consent/applications', { token });
  const { data } = (await list.json()) as { data: { id: number }[] };
  expect(data).toHaveLength(1);
  const body = { consentId: data[0]?.id };
  expect((await main.send('/v1/consent/withdraw', { token, body })).status).toBe(200);
}

describe('the example of an MCP server', { timeout: 120_000 }, () => {
  it('serves the tools that the person allows, and refuses the call after they withdrew', async () => {
    await using world = await startExampleMcpWorld();
    const words = clientOf(blockOf('examples/mcp-server/README.md', 'absence.list'));
    const { client, member, page } = await signIn(world, words, ['read']);
    await using _program = client;
    expect(page).toContain(`At Absences (${world.origin}), in that organization, the app may:`);
    expect(await client.prints(/Tools: (.*)/)).toBe('whoami, absence.list');
    expect(await client.prints(/absence.list: (.*)/)).toBe('{"data":[]}');
    client.type('');
    expect(await client.prints(/absence.list: (.*)/)).toBe('{"data":[]}');
    await withdraw(world, member.token);
    client.type('');
    await client.prints(/Refused/);
  });

  it('has a client that calls the service itself until the person withdraws', async () => {
    await using world = await startExampleMcpWorld();
    // The guide leaves out the address and the tool, of which the address would be that of the demonstration.
    const words = clientOf(blockOf('docs/agents.md', '/v1/app/save'));
    const { client, member } = await signIn(world, `${words} ${world.baseUrl}/mcp`, ['read', 'manage']);
    await using _program = client;
    expect(await client.prints(/Tools: (.*)/)).toMatch(/^account\.rename, .*member\.list, /);
    expect(await client.prints(/member.list: (.*)/)).toContain('"owner@acme.test"');
    await withdraw(world, member.token);
    client.type('');
    await client.prints(/Refused/);
  });

  it('says where to sign in, and admits nobody while Gatehouse does not answer', async () => {
    await using world = await startExampleMcpWorld();
    const message = { method: 'POST', headers: { authorization: 'Bearer gtha_unknown' } };
    const unknown = await fetch(`${world.origin}/mcp`, message);
    const metadata = `${world.origin}/.well-known/oauth-protected-resource`;
    expect([unknown.status, unknown.headers.get('www-authenticate')]).toEqual([
      401,
      `Bearer resource_metadata="${metadata}"`,
    ]);
    expect(await (await fetch(metadata)).json()).toEqual({
      resource: world.origin,
      authorization_servers: [world.baseUrl],
      scopes_supported: ['read', 'manage'],
    });
    const PORT = String(await findFreePort());
    const GATEHOUSE_URL = `http://127.0.0.1:${await findFreePort()}`;
    await using alone = startExample(EXAMPLE, ['server.ts'], { PORT, GATEHOUSE_URL });
    expect((await fetch(await alone.prints(/http:\S+/), message)).status).toBe(503);
  });
});
