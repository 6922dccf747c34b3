import { z } from 'zod';
import type { Method, ProcedureRow } from '../rest/route.js';
import { type WireField, wireFields } from '../rest/wire-fields.js';
import type { Rule } from '../trpc/procedure-rule.js';
import { describedField, jsonSchema } from './documented-schema.js';
import { exampleOf } from './field-notes.js';
import type { MediaType, Parameter, Reference, RequestBody, Schema } from './open-api-types.js';

/** Request headers, by their key in the document. */
export const PARAMETERS: Readonly<Record<string, Parameter>> = {
  RequestId: {
    name: 'X-Request-Id',
    in: 'header',
    description:
      'A name for this request, 1 to 64 of `A-Z a-z 0-9 . _ -`; one is made where it is not of this form.',
    schema: { type: 'string', maxLength: 1000 },
  },
  Apptype: {
    name: 'Apptype',
    in: 'header',
    description:
      "The application a login is for, in base64: `web`, `mobile`, `designer` or `admin`; the deployment's own without it.",
    schema: { type: 'string', maxLength: 1000, pattern: '^[A-Za-z0-9+/]*={0,2}$' },
    example: 'd2Vi',
  },
  SelectedAccount: {
    ...accountHeader('The account this request acts in.'),
    required: true,
  },
  AccountOfMembers: accountHeader('The account this request acts in; staff may leave it out.'),
  Account: accountHeader('The account this request acts in; without it, none.'),
};

function accountHeader(description: string): Parameter {
  return {
    name: 'Accountid',
    in: 'header',
    description,
    schema: { type: 'integer', format: 'int64', minimum: 1, maximum: Number.MAX_SAFE_INTEGER },
    example: 1,
  };
}

/** The headers read by a procedure with this rule. */
export function headerParameters(rule: Rule, readsApptype: boolean): Reference[] {
  const keys = [...accountKeys(rule), ...(readsApptype ? ['Apptype'] : []), 'RequestId'];
  return keys.map((key) => ({ $ref: `#/components/parameters/${key}` }));
}

function accountKeys(rule: Rule): string[] {
  switch (rule.who) {
    case 'account':
      return [rule.staffWithoutAccount ? 'AccountOfMembers' : 'SelectedAccount'];
    case 'member':
    case 'staff':
    case 'root':
      return ['Account'];
    default:
      return [];
  }
}

/** A parameter, or the one that a reference leads to. */
export function parameterAt(given: Parameter | Reference): Parameter {
  if (!('$ref' in given)) return given;
  const found = PARAMETERS[given.$ref.slice(given.$ref.lastIndexOf('/') + 1)];
  if (!found) throw new Error(`Nothing is at ${given.$ref}`);
  return found;
}

/** Whether examples show it. Members must select an account, and staff may omit it; most callers are members. */
export function isUsuallySent(given: Parameter | Reference): boolean {
  return (
    parameterAt(given).required === true || ('$ref' in given && given.$ref.endsWith('/AccountOfMembers'))
  );
}

/** A path of the table in OpenAPI's spelling: `/getUserdetail:userid` is `/getUserdetail{userid}`. */
export function pathTemplate(path: string): string {
  return path.replaceAll(/:([A-Za-z]+)/g, '{$1}');
}

/** The names of its parameters. */
export function pathParameters(path: string): string[] {
  return [...path.matchAll(/:([A-Za-z]+)/g)].map(([, name = '']) => name);
}

interface Field {
  /** Its name in the input of the procedure. */
  readonly name: string;
  readonly wire: string;
  readonly place: 'field' | 'param';
  readonly schema: Schema;
  readonly isRequired: boolean;
}

const objectSchema = z.object({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
});

/** The fields of a procedure's input, under their names in the request. */
export function requestFields(row: ProcedureRow, input: z.ZodType, schemas: Map<string, Schema>): Field[] {
  const { properties, required } = objectSchema.parse(jsonSchema(input, 'input', schemas));
  const inPath = pathParameters(row.path);
  const used = row.derived
    ? Object.keys(properties).map(ownField)
    : wireFields(row).filter(({ place, wire }) => place === 'field' || inPath.includes(wire));
  return used.map(({ name, wire, place, mayBeEmpty }) => {
    const schema = properties[name];
    if (schema === undefined) throw new Error(`${row.path} fills ${name}, which ${row.call} does not take`);
    return {
      name,
      wire,
      place,
      schema: describedField(wire, mayBeEmpty ? orEmpty(schema) : schema),
      isRequired: place === 'param' || (required.includes(name) && !(row.derived && name === 'accountId')),
    };
  });
}

/** On a derived path, a field has its input name. */
function ownField(name: string): WireField {
  return { name, wire: name, place: 'field', mayBeEmpty: false };
}

/** A text or undefined. */
function orEmpty(schema: Schema): Schema {
  const { minLength: _least, ...rest } = schema;
  const isPlainText = schema['type'] === 'string' && !('format' in schema) && !('pattern' in schema);
  return isPlainText ? rest : { anyOf: [schema, { type: 'string', maxLength: 0 }] };
}

/** Path parameters, and the query of a request that only reads. */
export function requestParameters(fields: readonly Field[], method: Method): Parameter[] {
  return fields
    .filter(({ place }) => place === 'param' || method === 'GET')
    .map(({ wire, place, schema: { description, ...schema }, isRequired }) => ({
      name: wire,
      in: place === 'param' ? 'path' : 'query',
      ...(typeof description === 'string' ? { description } : {}),
      ...(isRequired ? { required: true } : {}),
      schema: withoutNull(schema),
    }));
}

/** Older clients send an empty object instead of no body. */
const NOTHING_READ: RequestBody = {
  description: 'Not read.',
  content: { 'application/json': { schema: { type: 'object' }, example: {} } },
};

/** The body of a request that writes: JSON, and a form if the row accepts one. */
export function requestBody(
  row: ProcedureRow,
  fields: readonly Field[],
  sampled: readonly string[],
): RequestBody {
  const sent = fields.filter(({ place }) => place === 'field');
  if (sent.length === 0) return NOTHING_READ;
  const required = sent.filter(({ isRequired }) => isRequired).map(({ wire }) => wire);
  const schema = {
    type: 'object',
    properties: Object.fromEntries(sent.map(({ wire, schema: each }) => [wire, each])),
    ...(required.length === 0 ? {} : { required }),
    ...(row.strict ? { additionalProperties: false } : {}),
  };
  const shown = sent.filter(({ wire, isRequired }) => isRequired || sampled.includes(wire));
  const example = Object.fromEntries(shown.map(({ wire, schema: each }) => [wire, exampleOf(each, wire)]));
  const media: MediaType = { schema, example };
  return {
    ...(required.length === 0 ? {} : { required: true }),
    content: {
      'application/json': media,
      ...(row.derived ? {} : { 'application/x-www-form-urlencoded': media }),
    },
  };
}

/** A client's input for the example: the required fields and the optional ones listed for it. */
export function inputExample(
  fields: readonly Field[],
  sampled: readonly string[],
): Readonly<Record<string, unknown>> {
  const shown = fields.filter(({ wire, isRequired }) => isRequired || sampled.includes(wire));
  return Object.fromEntries(shown.map(({ name, wire, schema }) => [name, exampleOf(schema, wire)]));
}

/** A query string cannot contain null. */
function withoutNull(schema: Schema): Schema {
  const { anyOf, type, ...rest } = schema;
  if (Array.isArray(type)) {
    const types = z
      .array(z.string())
      .parse(type)
      .filter((each) => each !== 'null');
    return { ...schema, type: types.length === 1 ? types[0] : types };
  }
  const options = z.array(z.record(z.string(), z.unknown())).safeParse(anyOf).data;
  const [only, ...others] = options?.filter(({ type }) => type !== 'null') ?? [];
  return only === undefined || others.length > 0 ? schema : { ...rest, ...only };
}
