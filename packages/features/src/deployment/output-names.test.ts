import { router as adminRouter } from '@gatehouse/api-admin/router';
import { router as mainRouter } from '@gatehouse/api-main/router';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { expect, it } from 'vitest';
import { z } from 'zod';

/** Names that the envelope of an answer has itself, so that an output with one would hide it. */
const OF_THE_ENVELOPE = ['status', 'error', 'requestId'];

type Json = z.output<typeof made>;

const branches = z.array(z.looseObject({})).default([]);
const made = z.looseObject({
  $ref: z.string().optional(),
  type: z.unknown().optional(),
  properties: z.record(z.string(), z.looseObject({})).default({}),
  additionalProperties: z.unknown().optional(),
  anyOf: branches,
  oneOf: branches,
  allOf: branches,
});

/** What is wrong with the names at the top of an output, in any of its variants. */
function faultsOf(output: z.ZodType): string[] {
  const root = made.parse(z.toJSONSchema(output, { unrepresentable: 'any', reused: 'inline' }));
  const definitions = z.record(z.string(), z.looseObject({})).parse(root['$defs'] ?? {});
  return faultsIn(root, definitions);
}

function faultsIn(schema: unknown, definitions: Readonly<Record<string, unknown>>): string[] {
  const read = made.parse(schema);
  if (read.$ref !== undefined) return faultsIn(definitions[read.$ref.replace('#/$defs/', '')], definitions);
  const variants = [...read.anyOf, ...read.oneOf, ...read.allOf];
  if (variants.length > 0) return variants.flatMap((each) => faultsIn(each, definitions));
  if (read.type !== 'object') return ['no object'];
  const names = Object.keys(read.properties).filter((name) => OF_THE_ENVELOPE.includes(name));
  const { message } = read.properties;
  return [
    ...names,
    ...(message === undefined || isSentence(made.parse(message)) ? [] : ['message']),
    ...(isOpen(read) ? ['any name'] : []),
  ];
}

/** A message is free text: not a number, not null, and no word of a list. */
const isSentence = ({ type, enum: words, const: word }: Json) =>
  type === 'string' && words === undefined && word === undefined;

/** Whether an object may have names that its schema does not say. */
const isOpen = ({ additionalProperties: more }: Json) => more !== undefined && more !== false;

it.each([
  ['main', mainRouter],
  ['admin', adminRouter],
])('no output of the %s service uses a name of the envelope, and a message is a sentence', (_, router) => {
  const procedures = listProcedures(router);
  expect(procedures.filter(({ output }) => output === undefined).map(({ name }) => name)).toEqual([]);
  expect(procedures.length).toBeGreaterThan(50);
  const faults = procedures.flatMap(({ name, output }) =>
    output === undefined ? [] : faultsOf(output).map((fault) => [name, fault]),
  );
  expect(faults).toEqual([]);
});

const named = z.object({ status: z.string() }).meta({ id: 'OutputWithStatus' });

it.each<[name: string, output: z.ZodType, faults: string[]]>([
  ['a status', z.object({ status: z.string() }), ['status']],
  ['an error', z.object({ error: z.string().nullable() }), ['error']],
  ['a requestId', z.object({ requestId: z.string().optional() }), ['requestId']],
  ['a status in a variant', z.union([z.object({ id: z.int() }), z.object({ status: z.int() })]), ['status']],
  ['a status in a schema with a name', named, ['status']],
  ['a status in a variant with a name', z.union([z.object({ id: z.int() }), named]), ['status']],
  ['an error in a part', z.intersection(z.object({ id: z.int() }), z.object({ error: z.int() })), ['error']],
  ['a message that is a number', z.object({ message: z.number() }), ['message']],
  ['a message that may be null', z.object({ message: z.string().nullable() }), ['message']],
  ['a message of a list of words', z.object({ message: z.enum(['sent', 'queued']) }), ['message']],
  ['a message of one word', z.object({ message: z.literal('sent') }), ['message']],
  ['a message that is an object', z.object({ message: z.object({}) }), ['message']],
  ['a list without a name', z.array(z.object({ id: z.int() })), ['no object']],
  ['a text without a name', z.string(), ['no object']],
  ['an object of any names', z.record(z.string(), z.string()), ['any name']],
])('the check finds %s at the top of an output', (_, output, faults) => {
  expect(faultsOf(output)).toEqual(faults);
});

it('the check accepts a sentence, and any name inside data', () => {
  const data = z.object({
    status: z.string(),
    error: z.string(),
    requestId: z.string(),
    message: z.number(),
  });
  expect(faultsOf(z.object({ data, message: z.string() }))).toEqual([]);
});
