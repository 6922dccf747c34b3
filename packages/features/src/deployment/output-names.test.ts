import { router as adminRouter } from '@gatehouse/api-admin/router';
import { router as mainRouter } from '@gatehouse/api-main/router';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { expect, it } from 'vitest';
import { z } from 'zod';

/** Names that the envelope of an answer has itself, so that an output with one would hide it. */
const OF_THE_ENVELOPE = ['status', 'error', 'requestId'];

const made = z.object({
  properties: z.record(z.string(), z.looseObject({ type: z.unknown().optional() })).default({}),
  anyOf: z.array(z.looseObject({})).default([]),
  oneOf: z.array(z.looseObject({})).default([]),
});

/** The names at the top of an output, with their JSON types, in each of its variants. */
function namesIn(schema: unknown): [name: string, type: unknown][] {
  const { properties, anyOf, oneOf } = made.parse(schema);
  const own = Object.entries(properties).map(([name, { type }]): [string, unknown] => [name, type]);
  return [...own, ...[...anyOf, ...oneOf].flatMap(namesIn)];
}

it.each([
  ['main', mainRouter],
  ['admin', adminRouter],
])('no output of the %s service takes a name of the envelope, and a message is a sentence', (_, router) => {
  const outputs = listProcedures(router).flatMap(({ name, output }) =>
    output === undefined
      ? []
      : namesIn(z.toJSONSchema(output, { unrepresentable: 'any', reused: 'inline' })).map(
          ([field, type]): [string, string, unknown] => [name, field, type],
        ),
  );
  expect(outputs.length).toBeGreaterThan(50);
  expect(outputs.filter(([, field]) => OF_THE_ENVELOPE.includes(field))).toEqual([]);
  expect(outputs.filter(([, field, type]) => field === 'message' && type !== 'string')).toEqual([]);
});
