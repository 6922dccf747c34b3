import { z } from 'zod';
import { describedFields } from './described-fields.js';
import type { Schema } from './document.js';

/** A request holds no more than 100 kB, and no answer a longer text or list than these. */
const MOST_SENT_CHARACTERS = 100_000;
const MOST_ANSWERED_CHARACTERS = 1_000_000;
const MOST_ITEMS = 100_000;

/** The JSON Schema of what a schema takes or answers. Schemas that have an id go to `components`. */
export function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Map<string, Schema>,
): Schema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => {
      bound(made, io === 'input' ? MOST_SENT_CHARACTERS : MOST_ANSWERED_CHARACTERS);
    },
  });
  for (const [id, component] of Object.entries($defs))
    components.set(id, describedFields(pointed(component)));
  return pointed(root);
}

/** States the bounds that every text and list has, and drops the patterns that a format says better. */
function bound(schema: z.core.JSONSchema.BaseSchema, mostCharacters: number): void {
  const isFixed = schema.enum !== undefined || schema.const !== undefined;
  const types = [schema.type].flat();
  if (types.includes('string') && !isFixed) {
    schema.maxLength ??= mostCharacters;
    if (schema.format !== undefined) delete schema.pattern;
  }
  // Validators count in binary, where hundredths have no end; ours does not.
  if (!Number.isInteger(schema.multipleOf ?? 1)) delete schema.multipleOf;
  if (types.includes('array')) schema.maxItems ??= MOST_ITEMS;
  if (types.includes('integer')) schema.format = 'int64';
}

/** The schema as a part of an OpenAPI document, which says once what it is written in and where its parts are. */
function pointed(schema: Schema): Schema {
  const text = JSON.stringify({ ...schema, $schema: undefined, id: undefined }).replaceAll(
    '"#/$defs/',
    '"#/components/schemas/',
  );
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}
