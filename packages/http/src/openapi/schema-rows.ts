import { z } from 'zod';
import type { OpenApiDocument, Schema } from './document.js';

/** One field of a schema, as a line of a table. */
export interface SchemaRow {
  /** The path, as in `data[].id`. */
  readonly path: string;
  readonly type: string;
  readonly isRequired: boolean;
  readonly description: string;
}

const shape = z.looseObject({
  $ref: z.string().optional(),
  type: z.union([z.string(), z.array(z.string())]).optional(),
  format: z.string().optional(),
  enum: z.array(z.unknown()).optional(),
  const: z.unknown().optional(),
  anyOf: z.array(z.record(z.string(), z.unknown())).optional(),
  items: z.record(z.string(), z.unknown()).optional(),
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).optional(),
  required: z.array(z.string()).optional(),
  description: z.string().optional(),
});

/** The fields of a schema and of the objects and lists within it, top to bottom. */
export function schemaRows(schema: Schema, document: OpenApiDocument, prefix = ''): SchemaRow[] {
  const { properties = {}, required = [] } = shape.parse(resolved(schema, document));
  return Object.entries(properties).flatMap(([name, given]) => {
    const field = resolved(given, document);
    const { items, description = '' } = shape.parse(field);
    const path = `${prefix}${name}`;
    const row = { path, type: typeText(field), isRequired: required.includes(name), description };
    return [
      row,
      ...schemaRows(field, document, `${path}.`),
      ...(items === undefined ? [] : schemaRows(items, document, `${path}[].`)),
    ];
  });
}

/** The type of a schema in a few words. */
export function typeText(schema: Schema): string {
  const { type, format, enum: values, const: value, anyOf, items } = shape.parse(schema);
  if (value !== undefined) return JSON.stringify(value);
  if (values) return values.map((each) => JSON.stringify(each)).join(' or ');
  if (anyOf) return anyOf.map(typeText).join(' or ');
  const types = [type].flat().map((each) => {
    if (each === undefined) return 'anything';
    if (each === 'array') return items?.['type'] === undefined ? 'list' : `list of ${typeText(items)}`;
    return each;
  });
  const text = [...new Set(types)].join(' or ');
  return format === undefined || format === 'int64' ? text : `${text}, ${format}`;
}

function resolved(schema: Schema, { components }: OpenApiDocument): Schema {
  const { $ref } = shape.parse(schema);
  if ($ref === undefined) return schema;
  return components.schemas[$ref.slice($ref.lastIndexOf('/') + 1)] ?? schema;
}
