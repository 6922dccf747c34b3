import { AppError } from '@gatehouse/auth-core';
import { answerMessage } from '@gatehouse/http/mcp/answer-message';
import type { ListedTool, Tool } from '@gatehouse/http/mcp/tools-of';
import { send } from '@gatehouse/http/rest/reply';
import { bodyFields } from '@gatehouse/http/rest/request-body';
import type { RawEndpoint, RawExchange } from '@gatehouse/http/rest/route';
import { allowedOrigins } from '@gatehouse/http/server/cors';
import { type Failure, logDenied, toFailure } from '@gatehouse/http/server/request-failure';
import { z } from 'zod';
import { productName, servesAgents } from '../core/config.js';
import type { Context } from '../core/context.js';
import { authorizeBy } from '../core/guard/authorize-by-rule.js';
import { type Caller, type CallerSession, sessionKey } from '../core/guard/caller.js';
import { preauthorize } from '../core/guard/guarded.js';
import { mayCall } from '../core/guard/procedure.js';

type Tools = () => ReadonlyMap<string, Tool>;

/** Every caller with a token may ask which tools there are. The guard of each tool decides. */
const identify = authorizeBy({ who: 'member', programs: true, opensBelowLevel: true });

const message = z.looseObject({ jsonrpc: z.literal('2.0') });

const refusal = { description: 'An error of JSON-RPC', content: { 'application/json': message } };

/**
 * The Model Context Protocol over Streamable HTTP, without sessions and streams. Each tool is a procedure, called like its path
 * under `/v1`, with the same credentials.
 * @param tools the procedures that are open to programs
 */
export function mcpEndpoint(
  service: { readonly name: string; readonly version: string },
  tools: Tools,
): RawEndpoint<Context> {
  return {
    summary: 'Lets agents call procedures as tools, by the Model Context Protocol',
    about: {
      tag: 'machines',
      security: 'apiKey',
      body: {
        types: ['application/json'],
        schema: z.looseObject({
          jsonrpc: z.literal('2.0'),
          method: z.string(),
          id: z.union([z.string(), z.int()]).optional(),
          params: z.looseObject({}).optional(),
        }),
      },
      answers: {
        200: { description: 'The answer to a request', content: { 'application/json': message } },
        202: { description: 'A notification arrived.' },
        400: refusal,
        406: refusal,
      },
      refuses: [
        'unauthorized',
        'origin_refused',
        'address_refused',
        'enrolment_required',
        'not_found',
        'invalid_account',
        'invalid_input',
        'payload_too_large',
        'unsupported_media_type',
        'rate_limited',
        'unavailable',
      ],
    },
    async handle(exchange) {
      const { request, response, ctx } = exchange;
      if (!servesAgents(ctx.services.config)) throw new AppError('not_found');
      requireKnownOrigin(ctx);
      const { caller } = await identify(ctx, ctx.services.access);
      const sent = await bodyFields(request, response, { form: false });
      // A tool counts the call itself, and for whom it is made.
      if (toolIn(sent, tools()) === undefined) await preauthorize(ctx, identify, 'mcp');
      const { status, type, body } = await answerMessage(sent, request, {
        ...service,
        title: productName(ctx.services.config),
        list: () => listTools(ctx, tools()),
        call: (name, fields) => callTool(exchange, caller, tools().get(name), fields),
      });
      send(response, status, type, body);
    },
  };
}

/**
 * Refuses pages of other sites, which a browser would let call a service on its own machine under a host name of theirs.
 * @throws {AppError} `origin_refused`
 */
function requireKnownOrigin({ call, services: { config } }: Context): void {
  const origin = call.header('origin');
  if (origin === undefined || origin === config.BASE_URL) return;
  if (!allowedOrigins(config).includes(origin)) throw new AppError('origin_refused');
}

const toolCall = z.object({ method: z.literal('tools/call'), params: z.object({ name: z.string() }) });

function toolIn(sent: unknown, tools: ReadonlyMap<string, Tool>): Tool | undefined {
  const name = toolCall.safeParse(sent).data?.params.name;
  return name === undefined ? undefined : tools.get(name);
}

/**
 * The tools that the guard lets the caller call now.
 * @throws {AppError} that reveals no more than its code
 */
async function listTools(ctx: Context, tools: ReadonlyMap<string, Tool>): Promise<ListedTool[]> {
  const asked = [...tools.values()].map(async ({ rule, type, listed }) =>
    (await mayCall(ctx, rule, type)) ? [listed] : [],
  );
  return Promise.all(asked).then(
    (open) => open.flat(),
    (error: unknown) => {
      throw new AppError(failureOf(ctx, 'tools/list', error).code);
    },
  );
}

interface ToolAnswer {
  readonly [key: string]: unknown;
  content: { type: 'text'; text: string }[];
  structuredContent?: Record<string, unknown>;
  isError?: true;
}

/** The result of a procedure, as structure and as text; or its refusal as text, for the agent to read. */
async function callTool(
  { ctx, callProcedure }: RawExchange<Context>,
  { session }: Caller,
  tool: Tool | undefined,
  fields: Readonly<Record<string, unknown>>,
): Promise<ToolAnswer | undefined> {
  if (tool === undefined) return undefined;
  const called = async () => {
    // The guard counts the calls of agents that act for somebody.
    if (session.agent?.actsAs !== 'member') ctx.services.keyUse.countAgent(holderOf(session));
    return callProcedure(tool.name, fields);
  };
  return called().then(
    (output) => ({
      content: [{ type: 'text', text: JSON.stringify(output) }],
      structuredContent: { ...(typeof output === 'object' ? output : {}) },
    }),
    (error: unknown) => {
      const { code, message: said, issues, retryAfterSeconds } = failureOf(ctx, tool.name, error);
      const text = JSON.stringify({ code, message: said, issues, retryAfterSeconds });
      return { isError: true, content: [{ type: 'text', text }] };
    },
  );
}

/** The holder for whom the calls of tools are counted, which does not change when a token is renewed. */
function holderOf(session: CallerSession): string {
  const { agent } = session;
  return agent === undefined ? sessionKey(session) : `machine-of:${agent.applicationId}`;
}

/** The part of an error that may be revealed. The error is logged like that of any other call. */
function failureOf(ctx: Context, name: string, error: unknown): Failure {
  const failure = toFailure(error);
  logDenied(ctx, failure);
  if (!failure.isForeseen) ctx.services.log.failure(name, error, ctx.call.requestId);
  return failure;
}
