import { AppError, type InputIssue } from '@gatehouse/auth-core';
import { z } from 'zod';
import { accountIdFrom } from '../server/account-header.js';
import { unknownField } from '../server/errors.js';
import { flagIn, integerIn } from './coerce.js';
import type { RestRequest } from './route.js';

const property = z.looseObject({
  type: z.union([z.string(), z.array(z.string())]).optional(),
  anyOf: z.array(z.looseObject({ type: z.string().optional() })).optional(),
  items: z.looseObject({ type: z.string().optional() }).optional(),
});

const objectSchema = z.object({
  properties: z.record(z.string(), property).default({}),
  anyOf: z.array(z.object({ properties: z.record(z.string(), property).default({}) })).default([]),
});

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
    const input = isReading ? readQuery(fields, types) : { ...fields };
    return types.has('accountId') ? withAccount(input, account) : input;
  };
}

/** The JSON types each field of an input accepts; a list of whole numbers also counts as `integers`. */
type FieldTypes = ReadonlyMap<string, ReadonlySet<string>>;

function fieldTypes(schema: z.ZodType | undefined): FieldTypes {
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

function readQuery(fields: RestRequest['fields'], types: FieldTypes): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [name, fromText(value, types.get(name) ?? new Set())]),
  );
}

/** A repeated query field is already a list. A list of one arrives as a single text. */
function fromText(value: unknown, types: ReadonlySet<string>): unknown {
  if (types.has('array')) {
    const values = [value].flat();
    return types.has('integers') ? values.map(integerIn) : values;
  }
  if (types.has('integer') || types.has('number')) return integerIn(value);
  return types.has('boolean') ? flagIn(value) : value;
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
