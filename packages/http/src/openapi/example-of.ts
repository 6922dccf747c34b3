import { z } from 'zod';
import type { Schema } from './document.js';
import { FIELD_NOTES } from './field-notes.js';

const shape = z.object({
  /** The first type that is not null. Schemas with several types never list their values. */
  type: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .transform((type) => [type].flat().find((each) => each !== 'null') ?? [type].flat()[0]),
  format: z.string().optional(),
  const: z.unknown().optional(),
  enum: z.array(z.unknown()).optional(),
  $ref: z.string().optional(),
  anyOf: z.array(z.record(z.string(), z.unknown())).optional(),
  items: z.record(z.string(), z.unknown()).optional(),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  minItems: z.number().optional(),
});

/**
 * An example value for a field of this name, from the demonstration data.
 * @param components the schemas that references lead to
 */
export function exampleOf(
  schema: Schema,
  name: string,
  components: ReadonlyMap<string, Schema> = new Map(),
): unknown {
  const { type, format, $ref, anyOf, items, properties, ...rest } = shape.parse(schema);
  if (rest.const !== undefined) return rest.const;
  if ($ref !== undefined) return exampleOf(componentAt($ref, components), name, components);
  const noted = FIELD_NOTES[name]?.examples.find((each) => fits(each, schema));
  if (noted !== undefined) return noted;
  if (rest.enum) return rest.enum[0];
  if (anyOf) return exampleOf(anyOf.find((each) => each['type'] !== 'null') ?? {}, name, components);
  switch (type) {
    case 'object':
      return Object.fromEntries(
        Object.entries(properties ?? {}).map(([key, each]) => [key, exampleOf(each, key, components)]),
      );
    case 'array':
      return items === undefined ? [] : [exampleOf(items, name.replace(/s$/, ''), components)];
    case 'boolean':
      return true;
    case 'integer':
    case 'number':
      return 1;
    case 'string':
      if (format === 'date-time') return '2026-03-02T09:30:00.000Z';
      return format === 'uri' ? 'https://app.example.com' : 'text';
    case 'null':
      return null;
    default:
      return {};
  }
}

/** Whether an example fits a schema: its type, and one of its listed values if any. */
function fits(example: unknown, schema: Schema): boolean {
  const { type, format, enum: values, anyOf } = shape.parse(schema);
  if (values) return values.includes(example);
  if (anyOf) return anyOf.some((each) => fits(example, each));
  if (type === 'null') return example === null;
  if (type === 'integer' || type === 'number') return typeof example === 'number';
  if (type === 'array') return Array.isArray(example);
  if (format === 'date-time') return typeof example === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(example);
  return type === typeof example && !Array.isArray(example) && type !== 'object';
}

function componentAt(reference: string, components: ReadonlyMap<string, Schema>): Schema {
  const found = components.get(reference.slice(reference.lastIndexOf('/') + 1));
  if (!found) throw new Error(`Nothing is at ${reference}`);
  return found;
}
