import type { z } from 'zod';

/**
 * One kind of token. `read` turns a payload (any JSON value) into that kind's payload and drops unknown
 * fields, or returns undefined.
 */
export function tokenKind<const K extends string, S extends z.ZodType>(kind: K, schema: S) {
  return {
    kind,
    read(payload: unknown): { kind: K; payload: z.output<S> } | undefined {
      const parsed = schema.safeParse(payload);
      return parsed.success ? { kind, payload: parsed.data } : undefined;
    },
  };
}
