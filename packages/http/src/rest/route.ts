import type { IncomingMessage, ServerResponse } from 'node:http';
import type { ErrorCode } from '@gatehouse/auth-core';
import type { AnyTRPCProcedure, inferProcedureInput } from '@trpc/server';
import type { z } from 'zod';
import type { RequestContext } from '../server/request-context.js';
import type { ProcedureAbout, Tag } from '../trpc/procedure-rule.js';

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';

/** The parts of an HTTP request a row may read: its query or JSON body, and its path parameters. */
export interface RestRequest {
  readonly fields: Readonly<Record<string, unknown>>;
  readonly params: Readonly<Record<string, string>>;
  /** The kind of method. A query string contains text only. */
  readonly isReading?: boolean;
  /** The `Accountid` header as it was sent. */
  readonly account?: string | undefined;
}

/** The input of a raw row (a redirect, a webhook, a probe): the HTTP exchange and the call's context. */
export interface RawExchange<Context extends RequestContext> {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly params: Readonly<Record<string, string>>;
  readonly query: URLSearchParams;
  readonly ctx: Context;
  /**
   * Calls a procedure as the caller of the request, as its path under `/v1` does with a body of these fields. The body of the
   * request has arrived.
   */
  readonly callProcedure: (name: string, fields: Readonly<Record<string, unknown>>) => Promise<unknown>;
}

export interface ProcedureRow {
  readonly kind: 'procedure';
  readonly about: ProcedureAbout;
  readonly methods: readonly Method[];
  readonly path: string;
  readonly call: string;
  readonly input: (request: RestRequest) => unknown;
  /** Whether unknown fields are refused by name. */
  readonly strict?: true;
  /** Whether the OpenAPI document has it besides the path derived from the procedure's name, as it has logins. */
  readonly isLogin?: true;
  /** Whether the path is derived from the procedure's name, with the input's field names. */
  readonly derived?: true;
}

/** The documents' description of an endpoint without a procedure. */
export interface DescribedEndpoint {
  readonly summary: string;
  readonly about: RawAbout;
}

/**
 * An endpoint without a procedure: a redirect, a webhook, a page, a probe. The route table assigns its path.
 */
export interface RawEndpoint<Context extends RequestContext> extends DescribedEndpoint {
  readonly handle: (exchange: RawExchange<Context>) => Promise<void> | void;
}

export interface RawRow<Context extends RequestContext> extends RawEndpoint<Context> {
  readonly kind: 'raw';
  readonly methods: readonly Method[];
  readonly path: string;
}

/**
 * One path of a deployment. Its rows get `Context`; `RestRow<never>` accepts rows of every context, for
 * descriptions only.
 */
export type RestRow<Context extends RequestContext> = ProcedureRow | RawRow<Context>;

/** Procedures by name, nested, as declared in `router.ts`. */
interface ProcedureRecord {
  readonly [name: string]: AnyTRPCProcedure | Readonly<Record<string, AnyTRPCProcedure>>;
}

type ProcedureName<R extends ProcedureRecord> = {
  [Group in keyof R & string]: R[Group] extends AnyTRPCProcedure
    ? Group
    : `${Group}.${keyof R[Group] & string}`;
}[keyof R & string];

type ProcedureAt<R extends ProcedureRecord, Name extends string> = Name extends keyof R
  ? R[Name]
  : Name extends `${infer Group}.${infer Leaf}`
    ? Group extends keyof R
      ? Leaf extends keyof R[Group]
        ? R[Group][Leaf]
        : never
      : never
    : never;

type InputAt<R extends ProcedureRecord, Name extends string> =
  ProcedureAt<R, Name> extends infer P extends AnyTRPCProcedure ? inferProcedureInput<P> : never;

/** The field names of an input, with unchecked values. */
type Unchecked<Input> = Input extends object ? { [Key in keyof Input]: unknown } : undefined;

interface RowOptions {
  strict?: true;
  isLogin?: true;
}

type RowArguments<R extends ProcedureRecord, Name extends ProcedureName<R>> =
  undefined extends InputAt<R, Name>
    ? [input?: (request: RestRequest) => Unchecked<InputAt<R, Name>> | undefined, options?: RowOptions]
    : [input: (request: RestRequest) => Unchecked<InputAt<R, Name>>, options?: RowOptions];

type RowBuilder<R extends ProcedureRecord> = <Name extends ProcedureName<R>>(
  path: string,
  call: Name,
  about: ProcedureAbout,
  ...rest: RowArguments<R, Name>
) => ProcedureRow;

/**
 * Row builders over a deployment's procedures. The compiler checks that the procedure exists and the input's
 * names are right; the schema checks the values. `get` reads a query string, `post` a body, `read` answers both
 * methods alike.
 */
export function routesOver<R extends ProcedureRecord>(
  _procedures: R,
): {
  get: RowBuilder<R>;
  post: RowBuilder<R>;
  read: RowBuilder<R>;
} {
  const builder =
    (methods: readonly Method[]): RowBuilder<R> =>
    (path, call, about, ...[input, options]) => ({
      kind: 'procedure',
      methods,
      path,
      call,
      about,
      input: input ?? noInput,
      ...(options?.strict ? { strict: true as const } : {}),
      ...(options?.isLogin ? { isLogin: true as const } : {}),
    });
  return { get: builder(['GET']), post: builder(['POST']), read: builder(['GET', 'POST']) };
}

function noInput(): undefined {
  return undefined;
}

export function raw<Context extends RequestContext>(
  methods: readonly Method[],
  path: string,
  { summary, about, handle }: RawEndpoint<Context>,
): RawRow<Context> {
  return { kind: 'raw', methods, path, summary, about, handle };
}

/** One answer of a raw row. */
export interface RawAnswer {
  readonly description: string;
  /** The type of its body; absent without a body. */
  readonly content?: Readonly<Record<string, z.ZodType>>;
  /** Headers this row always sends, beyond the common ones, with their meaning. */
  readonly headers?: Readonly<Record<string, string>>;
}

/** The documents' description of a raw row, which has no procedure with a guard and schemas. */
export interface RawAbout {
  readonly tag: Tag;
  /** The key of its security scheme. */
  readonly security?: string;
  readonly params?: Readonly<Record<string, z.ZodType>>;
  readonly query?: z.ZodObject;
  readonly body?: { readonly types: readonly string[]; readonly schema: z.ZodType };
  /** The answers by status. */
  readonly answers: Readonly<Record<number, RawAnswer>>;
  /** The refusals sent in the error envelope. */
  readonly refuses: readonly ErrorCode[];
}
