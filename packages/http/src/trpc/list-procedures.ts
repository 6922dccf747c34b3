import type { AnyTRPCRouter } from '@trpc/server';
import { z } from 'zod';
import type { ProcedureAbout, Rule } from './procedure-rule.js';

/** The procedures of a router by call path, such as `session.me`. */
export function proceduresOf(router: AnyTRPCRouter): Readonly<Record<string, { readonly _def: unknown }>> {
  // oxlint-disable-next-line typescript/no-unsafe-return -- tRPC flattens every router into one record of procedures, and leaves it untyped for routers of any shape.
  return router._def.procedures;
}

/**
 * The same router with other procedures in place of its own, and the same definitions. Names that every object has stay
 * unknown, because the record has no prototype.
 */
export function mapProcedures<Router extends AnyTRPCRouter>(
  router: Router,
  change: (procedure: { readonly _def: unknown }, path: string) => (call: never) => Promise<unknown>,
): Router {
  const procedures = Object.fromEntries(
    Object.entries(proceduresOf(router)).map(([path, procedure]) => [
      path,
      Object.assign(change(procedure, path), procedure),
    ]),
  );
  Object.setPrototypeOf(procedures, null);
  return { ...router, _def: { ...router._def, procedures } };
}

export interface ListedProcedure {
  readonly name: string;
  readonly type: 'query' | 'mutation';
  /** Undefined only for a procedure without a guard, which the tests of both surfaces forbid. */
  readonly rule: Rule | undefined;
  /** Its description for documents. */
  readonly about: ProcedureAbout | undefined;
  readonly hasOutput: boolean;
  /** Its input and output schemas, if any. */
  readonly input: z.ZodType | undefined;
  readonly output: z.ZodType | undefined;
}

const definition = z.object({
  type: z.enum(['query', 'mutation']),
  meta: z.object({ rule: z.custom<Rule>(), about: z.custom<ProcedureAbout>() }).partial().optional(),
  inputs: z.array(z.instanceof(z.ZodType)),
  output: z.instanceof(z.ZodType).optional(),
});

/** All procedures of a router, for documents and for tests. */
export function listProcedures(router: AnyTRPCRouter): ListedProcedure[] {
  return Object.entries(proceduresOf(router)).map(([name, procedure]) => {
    const { type, meta, inputs, output } = definition.parse(procedure._def);
    return {
      name,
      type,
      rule: meta?.rule,
      about: meta?.about,
      hasOutput: output !== undefined,
      input: inputs[0],
      output,
    };
  });
}

/** The procedures of a tRPC path, for the log. An unknown one is `-`, so the caller's text is not logged. */
export function trpcCalls(router: AnyTRPCRouter, path: string): string {
  const procedures = proceduresOf(router);
  if (!path.includes(',')) return Object.hasOwn(procedures, path) ? path : '-';
  return path
    .split(',')
    .slice(0, 20)
    .map((name) => (Object.hasOwn(procedures, name) ? name : '-'))
    .join(',');
}
