import { insertTestMember } from '@gatehouse/testkit';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';
import { expect, it } from 'vitest';
import { at, CALLBACK, type OauthWorld, startOauthWorld, type TestApplication } from '../test/oauth-world.js';

/** What the SDK of the protocol keeps for one server. */
function keeper({ clientId, secret }: TestApplication) {
  const kept: { verifier: string; tokens: OAuthTokens | undefined; asked: URL[] } = {
    verifier: '',
    tokens: undefined,
    asked: [],
  };
  const provider: OAuthClientProvider = {
    redirectUrl: CALLBACK,
    clientMetadata: { redirect_uris: [CALLBACK], client_name: 'Helper' },
    clientInformation: () => ({ client_id: clientId, client_secret: secret }),
    tokens: () => kept.tokens,
    saveTokens(tokens) {
      kept.tokens = tokens;
    },
    redirectToAuthorization: (url) => void kept.asked.push(url),
    saveCodeVerifier(verifier) {
      kept.verifier = verifier;
    },
    codeVerifier: () => kept.verifier,
    invalidateCredentials() {
      kept.tokens = undefined;
    },
  };
  return { kept, provider };
}

const transportTo = ({ main, baseUrl }: OauthWorld, authProvider: OAuthClientProvider) =>
  new StreamableHTTPClientTransport(new URL('/mcp', baseUrl), {
    authProvider,
    fetch: (url, init) => fetch(at(main, String(url)), init),
  });

it('an agent signs in with the official MCP client alone, and is refused on the call after its member withdraws', {
  timeout: 60_000,
}, async () => {
  await using world = await startOauthWorld();
  const application = await world.application({
    name: 'Helper',
    scopes: ['openid', 'read', 'manage'],
  });
  const member = await insertTestMember(world.db, { isConfirmed: true, memberships: { 1: 1 } });
  const { kept, provider } = keeper(application);
  const first = transportTo(world, provider);
  const stranger = new Client({ name: 'helper', version: '1' });
  await expect(stranger.connect(first)).rejects.toThrow(UnauthorizedError);
  // The client read the scopes and the resource from our metadata.
  const [asked] = kept.asked;
  expect(asked?.searchParams.get('scope')).toBe('read manage');
  expect(asked?.searchParams.get('resource')).toBe(world.baseUrl);

  const browser = world.browser(member);
  const { url, page } = await browser.visit(asked?.href ?? '');
  expect(page).toContain('See everything there that you can see');
  const { url: back } = await browser.visit(url, { account: '1', scopes: 'read' });
  await first.finishAuth(new URL(back).searchParams.get('code') ?? '');
  expect(kept.tokens).toMatchObject({ scope: 'read' });

  const client = new Client({ name: 'helper', version: '1' });
  await client.connect(transportTo(world, provider));
  const { tools } = await client.listTools();
  const names = tools.map(({ name }) => name);
  expect(names).toContain('member.list');
  expect(names).not.toContain('account.rename');
  const { structuredContent } = await client.callTool({ name: 'member.list', arguments: {} });
  expect(structuredContent).toMatchObject({ data: expect.any(Array) });

  const list = await world.main.send('/v1/consent/applications', { token: member.token });
  const { data } = (await list.json()) as { data: { id: number }[] };
  const withdrawn = { token: member.token, body: { consentId: data[0]?.id } };
  expect((await world.main.send('/v1/consent/withdraw', withdrawn)).status).toBe(200);
  // It tries to renew its token, and has to ask its person again.
  const refused = client.callTool({ name: 'member.list', arguments: {} });
  await expect(refused).rejects.toThrow(UnauthorizedError);
  expect(kept.asked).toHaveLength(2);
  await client.close();
});
