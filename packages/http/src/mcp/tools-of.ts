import type { AnyTRPCRouter } from '@trpc/server';
import { z } from 'zod';
import { describedFields, jsonSchema } from '../openapi/documented-schema.js';
import type { Schema } from '../openapi/open-api-types.js';
import { derivedRows } from '../rest/procedure-rows.js';
import type { RestRow } from '../rest/route.js';
import { listProcedures } from '../trpc/list-procedures.js';
import { isOpenToPrograms, type Rule } from '../trpc/procedure-rule.js';

/** A procedure as agents see it. */
export interface Tool {
  /** The name of the procedure. */
  readonly name: string;
  readonly type: 'query' | 'mutation';
  readonly rule: Rule;
  /** Its entry in the answer of `tools/list`. */
  readonly listed: ListedTool;
}

export interface ListedTool {
  readonly name: string;
  readonly description: string;
  readonly inputSchema: ObjectSchema;
  readonly outputSchema: ObjectSchema;
  readonly annotations: { readonly readOnlyHint: boolean; readonly openWorldHint: false };
}

type ObjectSchema = Schema & { readonly type: 'object' };

/**
 * The procedures whose rule is open to programs, by name. Names, summaries and schemas are those of the OpenAPI document.
 * @param documented the table of paths, which has the summaries of some procedures
 */
export function toolsOf(
  router: AnyTRPCRouter,
  documented: readonly RestRow<never>[],
): ReadonlyMap<string, Tool> {
  const procedures = listProcedures(router);
  const summaries = new Map(
    derivedRows(procedures, documented).map(({ call, about }) => [call, about.summary]),
  );
  return new Map(
    procedures.flatMap(({ name, type, rule, input, output }): [string, Tool][] => {
      if (rule === undefined || !isOpenToPrograms(rule)) return [];
      const listed = {
        name,
        description: `${summaries.get(name)}.`,
        // Fields that the schema does not have are refused.
        inputSchema: { ...objectSchema(input, 'input'), additionalProperties: false },
        outputSchema: objectSchema(output, 'output'),
        annotations: { readOnlyHint: type === 'query', openWorldHint: false as const },
      };
      return [[name, { name, type, rule, listed }]];
    }),
  );
}

/** A schema with the parts that it refers to, which in the OpenAPI document are elsewhere. */
function objectSchema(schema: z.ZodType | undefined, io: 'input' | 'output'): ObjectSchema {
  const parts = new Map<string, Schema>();
  const made = schema === undefined ? {} : describedFields(jsonSchema(schema, io, parts));
  const whole = JSON.stringify({ ...made, ...(parts.size > 0 ? { $defs: Object.fromEntries(parts) } : {}) });
  return { ...parsed(whole.replaceAll('"#/components/schemas/', '"#/$defs/')), type: 'object' };
}

/** The bounds that the OpenAPI document states for validators of requests, such as at most a megabyte of text, help no agent. */
const FROM_WHICH_A_BOUND_SAYS_NOTHING = 100_000;

function parsed(text: string): Schema {
  const read: unknown = JSON.parse(text, (key, value: unknown) => {
    const isBound = (key === 'maxLength' || key === 'maxItems') && typeof value === 'number';
    return isBound && value >= FROM_WHICH_A_BOUND_SAYS_NOTHING ? undefined : value;
  });
  return z.record(z.string(), z.unknown()).parse(read);
}
