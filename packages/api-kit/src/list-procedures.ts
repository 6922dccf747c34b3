import type { AnyTRPCRouter } from '@trpc/server';
import { z } from 'zod';
import { proceduresOf } from './procedures-of.js';
import type { Rule } from './rule.js';

export interface ListedProcedure {
  readonly name: string;
  readonly type: 'query' | 'mutation';
  /** Undefined only where a procedure was built on no guard, which the tests of both surfaces refuse. */
  readonly rule: Rule | undefined;
  readonly hasOutput: boolean;
}

const definition = z.object({
  type: z.enum(['query', 'mutation']),
  meta: z.object({ rule: z.custom<Rule>() }).partial().optional(),
  output: z.unknown(),
});

/** Every procedure of a router, for documents and for tests that walk the whole surface. */
export function listProcedures(router: AnyTRPCRouter): ListedProcedure[] {
  return Object.entries(proceduresOf(router)).map(([name, procedure]) => {
    const { type, meta, output } = definition.parse(procedure._def);
    return { name, type, rule: meta?.rule, hasOutput: output !== undefined && output !== null };
  });
}
