import type { RunningService } from '@gatehouse/testkit';
import { z } from 'zod';

/** One call in the form of both transports: as a REST request, and as a procedure with its input. */
export interface TransportCall {
  readonly procedure: string;
  readonly type: 'query' | 'mutation';
  readonly input: unknown;
  readonly path: string;
  /** The JSON body of a POST; the call is a GET if absent. */
  readonly body?: unknown;
}

/** The caller and the account. */
export interface TransportCaller {
  readonly token?: string | undefined;
  readonly accountId?: number | string | undefined;
}

/** The answer of a transport: the fields besides `status`, or the code of the refusal. */
export type Verdict =
  | { readonly status: 200; readonly fields: unknown }
  | { readonly status: number; readonly code: string };

const envelope = z.looseObject({ status: z.literal(true) });
const refusal = z.object({ status: z.literal(false), error: z.object({ code: z.string() }) });
const trpcAnswer = z.union([
  z.object({ result: z.object({ data: z.unknown() }) }),
  z.object({ error: z.object({ data: z.object({ httpStatus: z.number(), reason: z.string() }) }) }),
]);

export async function callRest(
  service: RunningService,
  caller: TransportCaller,
  call: TransportCall,
): Promise<Verdict> {
  const body = call.body === undefined ? {} : { body: call.body };
  const response = await service.send(call.path, { ...caller, ...body });
  const text = await response.text();
  if (response.status === 401) return { status: 401, code: text };
  if (response.status !== 200) {
    return { status: response.status, code: refusal.parse(JSON.parse(text)).error.code };
  }
  const { status: _, ...fields } = envelope.parse(JSON.parse(text));
  return { status: 200, fields };
}

export async function callTrpc(
  service: RunningService,
  caller: TransportCaller,
  call: TransportCall,
): Promise<Verdict> {
  const query = new URLSearchParams({ input: JSON.stringify(call.input) });
  const path = `/trpc/${call.procedure}`;
  const response =
    call.type === 'query'
      ? await service.send(`${path}?${query}`, caller)
      : await service.send(path, { ...caller, body: call.input });
  return verdictOf(trpcAnswer.parse(await response.json()));
}

/** Several queries as one request. */
export async function callBatch(
  service: RunningService,
  caller: TransportCaller,
  calls: readonly TransportCall[],
): Promise<Verdict[]> {
  const names = calls.map(({ procedure }) => procedure).join(',');
  const inputs = Object.fromEntries(calls.map(({ input }, index) => [index, input]));
  const query = new URLSearchParams({ batch: '1', input: JSON.stringify(inputs) });
  const response = await service.send(`/trpc/${names}?${query}`, caller);
  return z
    .array(trpcAnswer)
    .parse(await response.json())
    .map(verdictOf);
}

function verdictOf(answer: z.output<typeof trpcAnswer>): Verdict {
  if ('result' in answer) return { status: 200, fields: answer.result.data };
  const { httpStatus, reason } = answer.error.data;
  return { status: httpStatus, code: httpStatus === 401 ? 'unauthorized access' : reason };
}
