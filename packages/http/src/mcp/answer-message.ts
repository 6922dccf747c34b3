import type { IncomingMessage } from 'node:http';
import type { CallToolResult } from '@modelcontextprotocol/sdk/types.js';
import type { ListedTool } from './tools-of.js';

/** What a server of tools implements, for one message. */
export interface ToolServer {
  readonly name: string;
  /** Its name for people. */
  readonly title: string;
  readonly version: string;
  list(): Promise<readonly ListedTool[]>;
  /** Calls a tool; undefined for an unknown one. */
  call(name: string, fields: Readonly<Record<string, unknown>>): Promise<CallToolResult | undefined>;
}

/** The answer, without a type if it has no body. */
interface MessageAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
}

/**
 * Answers one message of the Model Context Protocol with the transport of its SDK, which keeps nothing between messages. The SDK is
 * loaded with the first message, because it takes 10 MB and a tenth of a second.
 */
export async function answerMessage(
  message: unknown,
  { headers }: Pick<IncomingMessage, 'headers'>,
  { name, title, version, list, call }: ToolServer,
): Promise<MessageAnswer> {
  const { Server, Transport, types, validator } = await loadSdk();
  const server = new Server(
    { name, title, version },
    { capabilities: { tools: {} }, jsonSchemaValidator: validator },
  );
  server.setRequestHandler(types.ListToolsRequestSchema, async () => ({ tools: [...(await list())] }));
  server.setRequestHandler(types.CallToolRequestSchema, async ({ params }) => {
    const result = await call(params.name, params.arguments ?? {});
    if (result === undefined) throw new types.McpError(types.ErrorCode.InvalidParams, 'Unknown tool');
    return result;
  });
  const transport = new Transport({ enableJsonResponse: true });
  const answered = new Promise<MessageAnswer>((resolve) => {
    // The transport would make a response of the Fetch API, whose text is read through a stream, at the cost of a whole call.
    transport.send = (sent) => {
      resolve({ status: 200, type: 'application/json', body: JSON.stringify(sent) });
      return Promise.resolve();
    };
  });
  await server.connect(transport);
  // The server itself answers refused messages and those without an answer.
  const unanswered = transport.handleRequest(asRequest(headers), { parsedBody: message });
  return Promise.race([answered, unanswered.then(readAnswer)]);
}

async function readAnswer(answer: Response): Promise<MessageAnswer> {
  const type = answer.headers.get('content-type') ?? '';
  return { status: answer.status, type, body: await answer.text() };
}

/**
 * The parts of a request that the transport reads; a complete request would take as long as the guard. The body is read already.
 */
function asRequest(headers: IncomingMessage['headers']): Request {
  const read = ['accept', 'content-type', 'mcp-protocol-version'].flatMap((name): [string, string][] => {
    const value = headers[name];
    return typeof value === 'string' ? [[name, value]] : [];
  });
  const request = { method: 'POST', url: 'http://localhost/mcp', headers: new Headers(read) };
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- of a request with a body that is read it takes only these
  return request as Request;
}

let loading: ReturnType<typeof importSdk> | undefined;

function loadSdk(): ReturnType<typeof importSdk> {
  loading ??= importSdk();
  return loading;
}

async function importSdk() {
  // oxlint-disable-next-line typescript/no-deprecated -- `McpServer` makes the schemas of tools itself, from schemas of its own
  const [{ Server }, { WebStandardStreamableHTTPServerTransport: Transport }, types, ajv] = await Promise.all(
    [
      import('@modelcontextprotocol/sdk/server/index.js'),
      import('@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js'),
      import('@modelcontextprotocol/sdk/types.js'),
      import('@modelcontextprotocol/sdk/validation/ajv-provider.js'),
    ],
  );
  // Each server would make one, which takes longer than everything else.
  return { Server, Transport, types, validator: new ajv.AjvJsonSchemaValidator() };
}
