import { z } from 'zod';
import type { Schema } from './document.js';
import { FIELD_NOTES } from './field-notes.js';

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
