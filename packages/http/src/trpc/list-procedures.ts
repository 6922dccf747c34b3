import type { AnyTRPCRouter } from '@trpc/server';
import { z } from 'zod';
import { proceduresOf } from './procedures-of.js';
import type { ProcedureAbout, Rule } from './rule.js';

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
