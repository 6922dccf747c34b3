import { z } from 'zod';
import { fieldTypes, fromLoose, fromText } from './field-types.js';

/**
 * Reads the input of a documented path as the replaced service did, by the schema of its procedure: digits and
 * flags as text, and an optional field that is null or empty as absent, unless its schema takes that value.
 */
export function documentedInput(
  schema: z.ZodType | undefined,
): (input: unknown, sent: { readonly isText: boolean }) => unknown {
  const object = objectIn(schema);
  if (object === undefined) return (input) => input;
  const fields = new Map<string, z.ZodType>(Object.entries(object.shape));
  const types = fieldTypes(object);
  return (input, { isText }) => {
    const read = Object.entries(input ?? {}).map(([name, value]): [string, unknown] => {
      if (isBlank(value) && isLeftOut(fields.get(name), value)) return [name, undefined];
      return [name, (isText ? fromText : fromLoose)(value, types.get(name))];
    });
    return Object.fromEntries(read);
  };
}

function isBlank(value: unknown): boolean {
  return value === '' || value === null || value === undefined;
}

function isLeftOut(field: z.ZodType | undefined, value: unknown): boolean {
  if (field === undefined || value === undefined) return true;
  return field.safeParse(undefined).success && !field.safeParse(value).success;
}

/** The fields of an input that may be left out as a whole, as those of lists. */
function objectIn(schema: unknown): z.ZodObject | undefined {
  if (schema instanceof z.ZodPrefault) return objectIn(schema.unwrap());
  return schema instanceof z.ZodObject ? schema : undefined;
}
