import type { ErrorCode } from '@gatehouse/auth-core';
import { z } from 'zod';
import type { Method, ProcedureRow } from '../rest/route.js';
import { describeRule } from '../trpc/describe-rule.js';
import type { ListedProcedure } from '../trpc/list-procedures.js';
import { EVERY_ANSWER } from './answers.js';
import { clientSample } from './client-sample.js';
import { type Components, refusalAnswers } from './components.js';
import { describedFields } from './described-fields.js';
import type { Operation, Response, Schema } from './document.js';
import { exampleOf } from './example-of.js';
import { REQUEST_SAMPLES } from './field-notes.js';
import { jsonSchema } from './json-schema.js';
import { headerParameters } from './parameters.js';
import { inputExample, requestBody, requestFields, requestParameters } from './request-fields.js';
import { ruleRefusals } from './rule-refusals.js';
import { ruleSecurity } from './security-schemes.js';

/** Describes a procedure at one of its paths, for one method. */
export function procedureOperation(
  row: ProcedureRow,
  method: Method,
  procedure: ListedProcedure,
  components: Components,
): Omit<Operation, 'operationId' | 'tags'> {
  const { rule = { who: 'anyone' }, input, output, name } = procedure;
  const { summary, refuses = [], readsApptype = false, credentials } = row.about;
  const fields = input === undefined ? [] : requestFields(row, input, components.schemas);
  // A derived path may read the account from its header, which is not part of the typed client's input.
  const sampled = [...(REQUEST_SAMPLES[name] ?? []), ...(row.derived ? ['accountId'] : [])];
  const body = method === 'POST' ? requestBody(row, fields, sampled) : undefined;
  const codes: ErrorCode[] = [
    ...ruleRefusals(rule),
    // A page that may not have its session in a cookie changes nothing.
    ...(procedure.type === 'mutation' ? (['origin_refused'] as const) : []),
    ...(isClosedToReaders(procedure) ? (['read_only'] as const) : []),
    ...refuses,
    ...(readsApptype ? (['invalid_apptype'] as const) : []),
    ...(fields.length > 0 ? (['invalid_input'] as const) : []),
    ...(body && input ? (['payload_too_large', 'unsupported_media_type'] as const) : []),
    'internal',
    'unavailable',
  ];
  return {
    summary,
    description: `Open to ${describeRule(rule)}. The procedure \`${name}\`, also served at \`/trpc/${name}\`.`,
    security: ruleSecurity(rule),
    parameters: [...requestParameters(fields, method), ...headerParameters(rule, readsApptype)],
    ...(body ? { requestBody: body } : {}),
    responses: { 200: successAnswer(output, components), ...refusalAnswers(codes, components, credentials) },
    'x-codeSamples': [clientSample(procedure, inputExample(fields, sampled))],
  };
}

const objectSchema = z.looseObject({
  properties: z.record(z.string(), z.record(z.string(), z.unknown())).default({}),
  required: z.array(z.string()).default([]),
});

/** The success envelope around a procedure's output. */
function successAnswer(output: z.ZodType | undefined, { schemas }: Components): Response {
  const made = output === undefined ? {} : jsonSchema(output, 'output', schemas);
  const { properties, required, ...rest } = objectSchema.parse(made);
  const schema: Schema = describedFields({
    ...rest,
    type: 'object',
    properties: { status: { type: 'boolean', const: true }, ...properties },
    required: ['status', ...required],
    additionalProperties: false,
  });
  return {
    description: 'It worked.',
    headers: EVERY_ANSWER,
    content: { 'application/json': { schema, example: exampleOf(schema, '', schemas) } },
  };
}

/** Whether a session in which staff only look refuses it with a code of its own. */
function isClosedToReaders({ type, rule }: ListedProcedure): boolean {
  if (type !== 'mutation') return false;
  if (rule?.who === 'member') return !rule.inPerson && !rule.signsOut;
  return rule?.who === 'account' && !rule.inPerson;
}
