import { z } from 'zod';
import { FIELD_NOTES } from './field-notes.js';
import type { Schema } from './open-api-types.js';

const schemaShape = z.record(z.string(), z.unknown());

const propertiesShape = z.record(z.string(), schemaShape);

/** A field's schema with the description of its name. */
export function describedField(name: string, schema: Schema): Schema {
  const description = FIELD_NOTES[name]?.description;
  const described = describedFields(schema);
  if (description === undefined || '$ref' in schema || 'description' in schema) return described;
  return { ...described, description };
}

/** The same for every field within a schema. */
export function describedFields(schema: Schema): Schema {
  const properties = propertiesShape.safeParse(schema['properties']).data;
  const items = schemaShape.safeParse(schema['items']).data;
  return {
    ...schema,
    ...(properties
      ? {
          properties: Object.fromEntries(
            Object.entries(properties).map(([name, each]) => [name, describedField(name, each)]),
          ),
        }
      : {}),
    ...(items ? { items: describedFields(items) } : {}),
  };
}

/** A request is at most 100 kB, and no answer contains a longer text or list than these. */
const MAX_SENT_CHARACTERS = 100_000;

const MAX_ANSWERED_CHARACTERS = 1_000_000;

const MAX_ITEMS = 100_000;

/** The JSON Schema of a schema's input or output. Schemas with an id go to `components`. */
export function jsonSchema(
  schema: z.ZodType,
  io: 'input' | 'output',
  components: Map<string, Schema>,
): Schema {
  const { $defs = {}, ...root } = z.toJSONSchema(schema, {
    io,
    unrepresentable: 'any',
    override: ({ jsonSchema: made }) => {
      bound(made, io === 'input' ? MAX_SENT_CHARACTERS : MAX_ANSWERED_CHARACTERS);
    },
  });
  for (const [id, component] of Object.entries($defs))
    components.set(id, describedFields(pointed(component)));
  return pointed(root);
}

/** Adds bounds to every text and list, and drops patterns that a format describes better. */
function bound(schema: z.core.JSONSchema.BaseSchema, mostCharacters: number): void {
  const isFixed = schema.enum !== undefined || schema.const !== undefined;
  const types = [schema.type].flat();
  if (types.includes('string') && !isFixed) {
    schema.maxLength ??= mostCharacters;
    if (schema.format !== undefined) delete schema.pattern;
  }
  // Validators use binary floats, in which hundredths are not exact. Our check is exact.
  if (!Number.isInteger(schema.multipleOf ?? 1)) delete schema.multipleOf;
  if (types.includes('array')) schema.maxItems ??= MAX_ITEMS;
  if (types.includes('integer')) schema.format = 'int64';
}

/**
 * The schema as part of an OpenAPI document, which declares the dialect and the location of its parts only
 * once.
 */
function pointed(schema: Schema): Schema {
  const text = JSON.stringify({ ...schema, $schema: undefined, id: undefined }).replaceAll(
    '"#/$defs/',
    '"#/components/schemas/',
  );
  return z.record(z.string(), z.unknown()).parse(JSON.parse(text));
}
