import { z } from 'zod';
import { flagIn, integerIn } from './coerce.js';

const property = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.array(z.looseObject({ type: z.string().optional() })).optional(),
  items: z.looseObject({ type: z.string().optional() }).optional(),
});

const objectSchema = z.object({
  properties: z.record(z.string(), property).default({}),
  anyOf: z.array(z.object({ properties: z.record(z.string(), property).default({}) })).default([]),
});

/** The JSON types each field of an input accepts; a list of whole numbers also counts as `integers`. */
export type FieldTypes = ReadonlyMap<string, ReadonlySet<string>>;

export function fieldTypes(schema: z.ZodType | undefined): FieldTypes {
  if (schema === undefined) return new Map();
  const made = objectSchema.parse(z.toJSONSchema(schema, { io: 'input', unrepresentable: 'any' }));
  const properties = [made, ...made.anyOf].flatMap((each) => Object.entries(each.properties));
  return new Map(
    properties.map(([name, { type = [], anyOf = [], items }]) => [
      name,
      new Set([
        ...[type].flat(),
        ...anyOf.flatMap((each) => each.type ?? []),
        ...(items?.type === 'integer' ? ['integers'] : []),
      ]),
    ]),
  );
}

/** The value that a text of a query string or form means. A repeated field is already a list; a list of one is not. */
export function fromText(value: unknown, types: ReadonlySet<string> = new Set()): unknown {
  return fromLoose(types.has('array') ? [value].flat() : value, types);
}

/** A value by the type of its field: older clients send numbers and flags as text, also in JSON. */
export function fromLoose(value: unknown, types: ReadonlySet<string> = new Set()): unknown {
  if (Array.isArray(value)) return types.has('integers') ? value.map(integerIn) : value;
  if (types.has('string')) return value;
  if (types.has('integer') || types.has('number')) return integerIn(value);
  return types.has('boolean') ? flagIn(value) : value;
}
