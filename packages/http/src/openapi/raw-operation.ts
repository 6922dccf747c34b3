import { z } from 'zod';
import type { RawAbout, RawAnswer } from '../rest/raw-about.js';
import type { RawRow } from '../rest/route.js';
import { EVERY_ANSWER } from './answers.js';
import { type Components, refusalAnswers } from './components.js';
import { describedFields } from './described-fields.js';
import type { Header, MediaType, Operation, Parameter, RequestBody, Response } from './document.js';
import { exampleOf } from './example-of.js';
import { jsonSchema } from './json-schema.js';
import { pathParameters } from './path-template.js';

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
