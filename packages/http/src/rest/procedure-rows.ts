import { AppError, type InputIssue } from '@gatehouse/auth-core';
import { z } from 'zod';
import { unknownField } from '../server/request-failure.js';
import { accountIdFrom } from '../server/request-headers.js';
import type { ListedProcedure } from '../trpc/list-procedures.js';
import type { ProcedureRow, RestRequest, RestRow } from './route.js';

/**
 * Query strings and older clients send numbers as text. Plain digits become a number; the schema checks
 * everything else.
 */
function integerIn(value: unknown): unknown {
  return typeof value === 'string' && /^-?\d{1,16}$/.test(value) ? Number(value) : value;
}

/** `integerIn` for flags: the words, and the 1 and 0 that older clients send. */
function flagIn(value: unknown): unknown {
  if (value === 'true' || value === '1' || value === 1) return true;
  return value === 'false' || value === '0' || value === 0 ? false : value;
}

/** Treats an empty text as absent, since forms send one for an empty field. */
export function filledIn(value: unknown): unknown {
  return value === '' || value === null ? undefined : value;
}

/** The two fields of every list. */
export function pageIn(fields: Readonly<Record<string, unknown>>): { limit: unknown; cursor: unknown } {
  return { limit: fields['limit'], cursor: fields['cursor'] };
}

const property = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.array(z.looseObject({ type: z.string().optional() })).optional(),
  items: z.looseObject({ type: z.string().optional() }).optional(),
});

const objectSchema = z.object({
  properties: z.record(z.string(), property).default({}),
  anyOf: z.array(z.object({ properties: z.record(z.string(), property).default({}) })).default([]),
});

/** The JSON types that each field of an input accepts; a list of whole numbers is also accepted as `integers`. */
type FieldTypes = ReadonlyMap<string, ReadonlySet<string>>;

/** Reading a schema takes longer than all other work of making a service, and tests make thousands in a process. */
const typesBySchema = new WeakMap<z.ZodType, FieldTypes>();

function fieldTypes(schema: z.ZodType | undefined): FieldTypes {
  if (schema === undefined) return new Map();
  const types = typesBySchema.get(schema) ?? readFieldTypes(schema);
  typesBySchema.set(schema, types);
  return types;
}

function readFieldTypes(schema: z.ZodType): FieldTypes {
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
function fromText(value: unknown, types: ReadonlySet<string> = new Set()): unknown {
  return fromLoose(types.has('array') ? [value].flat() : value, types);
}

/** A value by the type of its field: older clients send numbers and flags as text, also in JSON. */
function fromLoose(value: unknown, types: ReadonlySet<string> = new Set()): unknown {
  if (Array.isArray(value)) return types.has('integers') ? value.map(integerIn) : value;
  if (types.has('string')) return value;
  if (types.has('integer') || types.has('number')) return integerIn(value);
  return types.has('boolean') ? flagIn(value) : value;
}

/**
 * Turns a request to a derived path into its procedure's input. Fields keep their names; query fields are read
 * by their schema's type. A body without `accountId` means the account of `Accountid`.
 */
export function derivedInput(schema: z.ZodType | undefined): (request: RestRequest) => unknown {
  let known: FieldTypes | undefined;
  return ({ fields, isReading = false, account }) => {
    known ??= fieldTypes(schema);
    const types = known;
    const unknown = Object.keys(fields).filter((name) => !types.has(name));
    if (unknown.length > 0) throw new AppError('invalid_input', { issues: unknown.map(unknownField) });
    if (schema === undefined) return undefined;
    const input = isReading
      ? Object.fromEntries(
          Object.entries(fields).map(([name, value]) => [name, fromText(value, types.get(name))]),
        )
      : { ...fields };
    return types.has('accountId') ? withAccount(input, account) : input;
  };
}

function withAccount(input: Record<string, unknown>, account: string | undefined): Record<string, unknown> {
  const selected = accountIdFrom(account);
  if (selected === null) return input;
  const { accountId = selected } = input;
  if (accountId !== selected) throw new AppError('invalid_input', { issues: [otherAccount] });
  return { ...input, accountId };
}

const otherAccount: InputIssue = {
  path: 'accountId',
  message: 'This is another account than the Accountid header names',
};

/**
 * A row for every procedure at the path derived from its name: `a.b` is `POST /v1/a/b`, and also `GET` if it
 * only reads. Its description comes from the procedure, or from the procedure's documented row.
 * @throws {Error} at start, for a procedure without either
 */
export function derivedRows(
  procedures: readonly ListedProcedure[],
  documented: readonly RestRow<never>[],
): ProcedureRow[] {
  return procedures.map(({ name, type, about, input }) => {
    const row = documented.find((each) => each.kind === 'procedure' && each.call === name);
    const described = about ?? (row?.kind === 'procedure' ? row.about : undefined);
    if (described === undefined) throw new Error(`${name} has no summary: give it .meta({ about })`);
    return {
      kind: 'procedure',
      about: described,
      methods: type === 'query' ? ['GET', 'POST'] : ['POST'],
      path: `/v1/${name.replaceAll('.', '/')}`,
      call: name,
      input: derivedInput(input),
      derived: true,
    };
  });
}

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

/** The fields of an input that may be omitted, such as those of lists. */
function objectIn(schema: unknown): z.ZodObject | undefined {
  if (schema instanceof z.ZodPrefault) return objectIn(schema.unwrap());
  return schema instanceof z.ZodObject ? schema : undefined;
}
