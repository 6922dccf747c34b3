// @module-tag slow

import { insertTestMember } from '@gatehouse/testkit';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import { expect, it } from 'vitest';
import { startExampleMcpWorld } from '../test/example-mcp-world.js';
import { signInThrough } from '../test/oauth-world.js';
import { runConformance } from '../test/run-conformance.js';
import { startTokenProxy } from '../test/start-token-proxy.js';

const APPLY = ['dns-rebinding-protection', 'ping', 'server-initialize', 'tools-list'];

const NO_FIXTURE = 'calls a tool that only the reference server of the suite has';
const NO_STREAM = 'checks nothing on a server without streams and sessions';
const NO_CAPABILITY = 'needs a capability that the server does not declare';

/** Each with the reason. */
const DO_NOT_APPLY: Readonly<Record<string, string>> = {
  'completion-complete': NO_CAPABILITY,
  'elicitation-sep1034-defaults': NO_FIXTURE,
  'elicitation-sep1330-enums': NO_FIXTURE,
  'json-schema-2020-12': NO_FIXTURE,
  'logging-set-level': NO_CAPABILITY,
  'prompts-get-embedded-resource': NO_CAPABILITY,
  'prompts-get-simple': NO_CAPABILITY,
  'prompts-get-with-args': NO_CAPABILITY,
  'prompts-get-with-image': NO_CAPABILITY,
  'prompts-list': NO_CAPABILITY,
  'resources-list': NO_CAPABILITY,
  'resources-read-binary': NO_CAPABILITY,
  'resources-read-text': NO_CAPABILITY,
  'resources-subscribe': NO_CAPABILITY,
  'resources-templates-read': NO_CAPABILITY,
  'resources-unsubscribe': NO_CAPABILITY,
  'server-sse-multiple-streams': NO_STREAM,
  'server-sse-polling': NO_STREAM,
  'tools-call-audio': NO_FIXTURE,
  'tools-call-elicitation': NO_FIXTURE,
  'tools-call-embedded-resource': NO_FIXTURE,
  'tools-call-error': NO_FIXTURE,
  'tools-call-image': NO_FIXTURE,
  'tools-call-mixed-content': NO_FIXTURE,
  'tools-call-sampling': NO_FIXTURE,
  'tools-call-simple-text': NO_FIXTURE,
  'tools-call-with-logging': NO_FIXTURE,
  'tools-call-with-progress': NO_FIXTURE,
};

it.each(['the service', 'the example of an MCP server'])(
  'the MCP endpoint passes every applicable scenario of the conformance suite: %s',
  { timeout: 120_000 },
  async (name) => {
    await using proxy = await startTokenProxy();
    // The suite also plays a page at the address of the server.
    await using world = await startExampleMcpWorld({ CORS_ORIGINS: proxy.url });
    const resource = name === 'the service' ? world.baseUrl : world.origin;
    const application = await world.application({ scopes: ['read'], resources: [world.origin] });
    const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
    const asking = { parameters: { resource, scope: 'read' }, account: 1, scopes: ['read'] };
    const { tokens } = await signInThrough(world, application, member, asking);
    proxy.sendTo(resource, tokens.access_token);
    const url = `${proxy.url}/mcp`;

    const { scenarios, output } = await runConformance(url);
    expect([...scenarios.keys()].toSorted()).toEqual([...APPLY, ...Object.keys(DO_NOT_APPLY)].toSorted());
    const flawed = APPLY.filter((each) => {
      const { passed = 0, failed = 0 } = scenarios.get(each) ?? {};
      return passed === 0 || failed > 0;
    });
    expect(flawed, output).toEqual([]);

    const client = new Client({ name: 'test', version: '1' });
    await client.connect(new StreamableHTTPClientTransport(new URL(url)));
    expect(Object.keys(client.getServerCapabilities() ?? {})).toEqual(['tools']);
    await client.close();
  },
);
