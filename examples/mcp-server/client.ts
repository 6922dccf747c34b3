import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline/promises';
import { type OAuthClientProvider, UnauthorizedError } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import type { OAuthTokens } from '@modelcontextprotocol/sdk/shared/auth.js';

const [clientId = '', server = 'http://localhost:4000/mcp', tool = 'member.list'] = process.argv.slice(2);

const listener = createServer().listen(0, '127.0.0.1');
await once(listener, 'listening');
const address = listener.address();
const redirectUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}/callback`;
/** The values with which the browser returns. */
const answered = new Promise<URLSearchParams>((resolve) => {
  listener.on('request', (request, response) => {
    response.end('You can close this page.');
    resolve(new URL(request.url ?? '', redirectUrl).searchParams);
  });
});

/** A program that runs longer stores the tokens where nobody else can read them. */
const kept: { page?: URL; verifier?: string; tokens?: OAuthTokens | undefined } = {};
const state = randomUUID();

const authProvider: OAuthClientProvider = {
  redirectUrl,
  clientMetadata: { redirect_uris: [redirectUrl] },
  clientInformation: () => ({ client_id: clientId }),
  state: () => state,
  redirectToAuthorization(page) {
    kept.page = page;
  },
  saveCodeVerifier(verifier) {
    kept.verifier = verifier;
  },
  codeVerifier: () => kept.verifier ?? '',
  saveTokens(tokens) {
    kept.tokens = tokens;
  },
  tokens: () => kept.tokens,
  invalidateCredentials() {
    kept.tokens = undefined;
  },
};

const open = () => ({
  client: new Client({ name: 'example', version: '1.0.0' }),
  transport: new StreamableHTTPClientTransport(new URL(server), { authProvider }),
});

function expectRefusal(error: unknown): void {
  if (!(error instanceof UnauthorizedError)) throw error;
}

// Without a token the server refuses, and tells the client where the person agrees.
const first = open();
await first.client.connect(first.transport).catch(expectRefusal);
console.log(`Open this address in your browser:\n\n${kept.page}\n`);
const answer = await answered;
listener.close();
const code = answer.get('code');
if (code === null || answer.get('state') !== state) throw new Error(answer.get('error') ?? 'Not our answer');
await first.transport.finishAuth(code);

const { client, transport } = open();
await client.connect(transport);
const { tools } = await client.listTools();
console.log('Tools:', tools.map(({ name }) => name).join(', '));

const keyboard = createInterface({ input: process.stdin, output: process.stdout });
try {
  for (;;) {
    const { content, structuredContent } = await client.callTool({ name: tool });
    console.log(`${tool}:`, JSON.stringify(structuredContent ?? content).slice(0, 300));
    await keyboard.question('Press Enter to call it again, Ctrl-C to stop. ');
  }
} catch (error) {
  expectRefusal(error);
  console.log('Refused: the person took the access back, and would have to agree again.');
}
keyboard.close();
