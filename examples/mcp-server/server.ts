import { createMcpExpressApp } from '@modelcontextprotocol/sdk/server/express.js';
import { McpServer } from '@modelcontextprotocol/sdk/server/mcp.js';
import { StreamableHTTPServerTransport } from '@modelcontextprotocol/sdk/server/streamableHttp.js';
import type { RequestHandler, Response } from 'express';
import { z } from 'zod';

const {
  PORT = '5001',
  /** Where clients reach this server, as root staff registered it. */
  ORIGIN = `http://127.0.0.1:${PORT}`,
  GATEHOUSE_URL = 'http://localhost:4000',
  GATEHOUSE_KEY = '',
} = process.env;

const METADATA = '/.well-known/oauth-protected-resource';

const activeToken = z.object({
  active: z.literal(true),
  /** Accepts only tokens for this server. */
  aud: z.literal(ORIGIN),
  /** The id of the member for whom the agent acts. */
  sub: z.string(),
  /** The account that the member chose. */
  account: z.int(),
  /** What the agent may do there now. */
  permissions: z.array(z.string()),
});

type Caller = z.output<typeof activeToken>;

/** Access tokens have this form; anything else is refused without a request. */
const BEARER = /^bearer (gtha_[\w-]+)$/i;

/** Asks Gatehouse about the token of each request, so that withdrawn access is refused on the next one. */
const signedIn: RequestHandler = async (request, response, next) => {
  const refuse = () =>
    response.status(401).set('WWW-Authenticate', `Bearer resource_metadata="${ORIGIN}${METADATA}"`).end();
  const [, token] = BEARER.exec(request.headers.authorization ?? '') ?? [];
  if (token === undefined) {
    refuse();
    return;
  }
  const answer = await fetch(`${GATEHOUSE_URL}/oauth/introspect`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${GATEHOUSE_KEY}` },
    body: new URLSearchParams({ token }),
    signal: AbortSignal.timeout(5_000),
  }).catch(() => undefined);
  if (!answer?.ok) {
    console.error(`Gatehouse does not introspect: ${answer?.status ?? 'no answer'}`);
    response.status(503).set('Retry-After', '5').end();
    return;
  }
  const caller = activeToken.safeParse(await answer.json());
  if (!caller.success) {
    refuse();
    return;
  }
  response.locals['caller'] = caller.data;
  next();
};

const absence = z.object({ name: z.string().max(80), until: z.iso.date() });

/** Who is away, by account. A real server has a database. */
const absences = new Map<number, z.output<typeof absence>[]>();

const answerOf = (value: Record<string, unknown>) => ({
  content: [{ type: 'text' as const, text: JSON.stringify(value) }],
  structuredContent: value,
});

/** A server with the tools that the caller may use now. */
function serverFor({ sub, account, permissions }: Caller): McpServer {
  const server = new McpServer({ name: 'absences', version: '1.0.0' });
  const away = absences.get(account) ?? [];
  const readOnly = { annotations: { readOnlyHint: true } };
  server.registerTool('whoami', { description: 'Says for whom you act, and where.', ...readOnly }, () =>
    answerOf({ member: sub, account }),
  );
  if (permissions.includes('member.list'))
    server.registerTool('absence.list', { description: 'Lists who is away.', ...readOnly }, () =>
      answerOf({ data: away }),
    );
  if (permissions.includes('member.manage'))
    server.registerTool(
      'absence.add',
      { description: 'Notes that somebody is away.', inputSchema: absence },
      (noted) => {
        absences.set(account, [...away, noted]);
        return answerOf({ data: noted });
      },
    );
  return server;
}

const app = createMcpExpressApp({ allowedHosts: [new URL(ORIGIN).hostname] });
app.get([METADATA, `${METADATA}/mcp`], (_, response) => {
  response.json({
    resource: ORIGIN,
    authorization_servers: [GATEHOUSE_URL],
    scopes_supported: ['read', 'manage'],
  });
});
app.post('/mcp', signedIn, async (request, response: Response<unknown, { caller: Caller }>) => {
  const transport = new StreamableHTTPServerTransport({ enableJsonResponse: true });
  await serverFor(response.locals.caller).connect(transport);
  await transport.handleRequest(request, response, request.body);
});
// It opens no streams and keeps no sessions.
app.all('/mcp', (_, response) => void response.status(405).set('Allow', 'POST').end());
app.listen(Number(PORT), '127.0.0.1', () => console.log(`${ORIGIN}/mcp`));
