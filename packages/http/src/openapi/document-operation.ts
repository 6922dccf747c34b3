import type { ErrorCode } from '@gatehouse/auth-core';
import { z } from 'zod';
import type { Method, ProcedureRow, RawAbout, RawAnswer, RawRow } from '../rest/route.js';
import type { ListedProcedure } from '../trpc/list-procedures.js';
import { describeRule, isOpenToPrograms, type Rule } from '../trpc/procedure-rule.js';
import { EVERY_ANSWER } from './answers.js';
import { clientSample } from './code-samples.js';
import { type Components, refusalAnswers, ruleSecurity } from './document-components.js';
import { describedFields, jsonSchema } from './documented-schema.js';
import { exampleOf, REQUEST_SAMPLES } from './field-notes.js';
import type {
  Header,
  MediaType,
  Operation,
  Parameter,
  RequestBody,
  Response,
  Schema,
} from './open-api-types.js';
import {
  headerParameters,
  inputExample,
  pathParameters,
  requestBody,
  requestFields,
  requestParameters,
} from './operation-parameters.js';

type CallerRule = Extract<Rule, { readonly who: 'member' | 'account' | 'staff' | 'root' }>;

/** What every guard of a caller may refuse with: people, machines from other networks or too often, and agents where an account forbids them. */
const OF_CALLERS = [
  'unauthorized',
  'origin_refused',
  'invalid_account',
  'permission_denied',
  'account_forbidden',
  'address_refused',
  'rate_limited',
] as const;

/** The refusals of a guard: the codes that come with a rule. */
function ruleRefusals(rule: Rule): readonly ErrorCode[] {
  switch (rule.who) {
    case 'anyone':
      return [];
    case 'bearer':
      return ['bearer_refused'];
    case 'partner':
      return ['invalid_partner_token'];
    case 'authToken':
      return ['unauthorized'];
    case 'member':
    case 'account':
    case 'staff':
    case 'root':
      return callerRefusals(rule);
  }
}

function callerRefusals(rule: CallerRule): readonly ErrorCode[] {
  return [
    ...OF_CALLERS,
    ...(isOpenToPrograms(rule) ? (['insufficient_scope'] as const) : []),
    ...(rule.who === 'account' || (rule.who === 'staff' && rule.inAccounts)
      ? (['account_required'] as const)
      : []),
    ...levelRefusals(rule),
    ...(rule.fresh ? (['verification_required'] as const) : []),
    ...(rule.who === 'account' && rule.entitled ? (['subscription_required'] as const) : []),
  ];
}

/** The refusals of a session of a lower level than staff or an account need, or of a recovery, which only adds a factor. */
function levelRefusals(rule: CallerRule): readonly ErrorCode[] {
  const { opensBelowLevel, opensInRecovery, permissionInAccount } = rule.who === 'member' ? rule : {};
  const isInAccount =
    (rule.who === 'account' && !rule.atAnyLevel) ||
    (rule.who === 'staff' && rule.inAccounts) ||
    permissionInAccount !== undefined;
  return [
    ...(opensBelowLevel && opensInRecovery ? [] : (['enrolment_required'] as const)),
    ...(opensBelowLevel ? [] : (['verification_required'] as const)),
    ...(isInAccount ? (['sso_required'] as const) : []),
  ];
}

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
    // For a page that may not keep its session in a cookie, nothing changes.
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

/** Whether a read-only session of staff gets a refusal with a code of its own. */
function isClosedToReaders({ type, rule }: ListedProcedure): boolean {
  if (type !== 'mutation') return false;
  if (rule?.who === 'member') return !rule.inPerson && !rule.signsOut;
  return rule?.who === 'account' && !rule.inPerson;
}

const querySchema = z.object({ properties: z.record(z.string(), z.record(z.string(), z.unknown())) });

/** Describes a row without a procedure, from its own description. */
export function rawOperation(
  { about, summary, path }: RawRow<never>,
  components: Components,
): Omit<Operation, 'operationId' | 'tags'> {
  const codes = [
    ...about.refuses,
    ...(pathParameters(path).length > 0 ? (['invalid_input'] as const) : []),
    'internal' as const,
  ];
  const refusals = refusalAnswers(codes, components);
  const answers = Object.fromEntries(
    Object.entries(about.answers).map(([status, answer]) => [status, rawAnswer(answer, components)]),
  );
  const both = Object.entries(refusals).map(([status, refusal]) => {
    const answer = answers[status];
    const key = '$ref' in refusal ? refusal.$ref.slice(refusal.$ref.lastIndexOf('/') + 1) : '';
    const shared = components.responses.get(key);
    return [status, answer && shared ? joined(answer, shared) : refusal] as const;
  });
  return {
    summary,
    description: `${summary}. It has no procedure: what it answers is stated here alone.`,
    security: about.security === undefined ? [] : [{ [about.security]: [] }],
    parameters: [
      ...pathParameters(path).map((name) => pathParameter(name, about, components)),
      ...queryParameters(about, components),
      { $ref: '#/components/parameters/RequestId' },
    ],
    ...(about.body ? { requestBody: rawBody(about.body, components) } : {}),
    responses: { ...answers, ...Object.fromEntries(both) },
    'x-codeSamples': [],
  };
}

function rawAnswer({ description, content, headers = {} }: RawAnswer, components: Components): Response {
  const own = Object.entries(headers).map(([name, text]): [string, Header] => [
    name,
    { description: text, required: true, schema: { type: 'string', maxLength: 16_384 } },
  ]);
  return {
    description,
    headers: { ...EVERY_ANSWER, ...Object.fromEntries(own) },
    ...(content === undefined
      ? {}
      : {
          content: Object.fromEntries(
            Object.entries(content).map(([type, schema]) => [
              type,
              mediaType(describedFields(jsonSchema(schema, 'output', components.schemas)), components),
            ]),
          ),
        }),
  };
}

/** A status with both kinds of answers. */
function joined(answer: Response, refusal: Response): Response {
  return {
    description: `${answer.description}\n\n${refusal.description}`,
    headers: answer.headers,
    content: { ...answer.content, ...refusal.content },
  };
}

function rawBody({ types, schema }: NonNullable<RawAbout['body']>, components: Components): RequestBody {
  const media = mediaType(describedFields(jsonSchema(schema, 'input', components.schemas)), components);
  return { content: Object.fromEntries(types.map((type) => [type, media])) };
}

function mediaType(schema: MediaType['schema'], { schemas }: Components): MediaType {
  return schema['type'] === 'object' ? { schema, example: exampleOf(schema, '', schemas) } : { schema };
}

function pathParameter(name: string, { params = {} }: RawAbout, { schemas }: Components): Parameter {
  const schema = params[name];
  if (!schema) throw new Error(`A raw row says nothing about its parameter ${name}`);
  return { name, in: 'path', required: true, schema: jsonSchema(schema, 'input', schemas) };
}

function queryParameters({ query }: RawAbout, { schemas }: Components): Parameter[] {
  if (query === undefined) return [];
  const { properties } = querySchema.parse(jsonSchema(query, 'input', schemas));
  return Object.entries(properties).map(([name, schema]) => ({ name, in: 'query', schema }));
}
