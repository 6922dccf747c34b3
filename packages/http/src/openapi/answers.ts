import { type CredentialKind, ERRORS, type ErrorCode, sentenceOf } from '@gatehouse/auth-core';
import { PLAIN_BODIES } from '../rest/reply.js';
import type { Header, MediaType, Reference, Response, Schema } from './open-api-types.js';

const EXAMPLE_REQUEST_ID = 'b5f1c1b07a4e4c6f9d3f3b1f2a9c8e77';

/** Headers of answers, by name. */
export const HEADERS: Readonly<Record<string, Header>> = {
  'X-Request-Id': {
    description: 'Names the request in the log; sent along it is kept.',
    required: true,
    schema: { type: 'string', maxLength: 64, pattern: '^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$' },
  },
  'Access-Control-Allow-Origin': {
    description: 'The origin of the caller, where it is one of those that may call from a browser.',
    schema: { type: 'string', maxLength: 2048 },
  },
  'WWW-Authenticate': {
    description: 'How to say who calls (RFC 6750), and where to read how to get a token (RFC 9728).',
    required: true,
    schema: {
      type: 'string',
      maxLength: 1000,
      pattern: '^Bearer (resource_metadata="[^"]+", )?realm="gatehouse"$',
    },
  },
  'Retry-After': {
    description: 'Seconds until it is worth trying again.',
    required: true,
    schema: { type: 'integer', format: 'int64', minimum: 0, maximum: 31_536_000 },
  },
  RateLimit: {
    description: 'What is left of the limit: its name, `r` calls, for `t` seconds.',
    required: true,
    schema: { type: 'string', maxLength: 200 },
  },
  'RateLimit-Policy': {
    description: 'The limit: its name, `q` calls in `w` seconds.',
    required: true,
    schema: { type: 'string', maxLength: 200 },
  },
  Location: {
    description: 'Where the browser goes on.',
    required: true,
    schema: { type: 'string', format: 'uri-reference', maxLength: 16_384 },
  },
};

/** The headers that every answer has. */
export const EVERY_ANSWER = headerReferences('X-Request-Id', 'Access-Control-Allow-Origin');

const issues = {
  type: 'array',
  description: 'What is wrong with the input, and where.',
  maxItems: 100_000,
  items: {
    type: 'object',
    properties: {
      path: { type: 'string', maxLength: 100_000, description: 'As in `memberships.0.roleType`.' },
      message: { type: 'string', maxLength: 100_000 },
    },
    required: ['path', 'message'],
    additionalProperties: false,
  },
};

const verification = {
  type: 'object',
  description: 'What to show first: `POST /v1/verification/prove` takes it.',
  properties: {
    level: { type: 'integer', format: 'int64', minimum: 1, maximum: 3 },
    maxAgeSeconds: { type: 'integer', format: 'int64', minimum: 1, maximum: 86_400 },
    methods: { type: 'array', maxItems: 16, items: { type: 'string', maxLength: 32 } },
  },
  required: ['level', 'maxAgeSeconds', 'methods'],
  additionalProperties: false,
};

const signals = {
  type: 'object',
  description: 'The passkey to forget, as `PublicKeyCredential.signalUnknownCredential` takes it.',
  properties: {
    rpId: { type: 'string', maxLength: 253 },
    credentialId: { type: 'string', maxLength: 2048 },
  },
  required: ['rpId', 'credentialId'],
  additionalProperties: false,
};

const challenge = {
  type: 'string',
  maxLength: 16_384,
  description: 'What `POST /v1/signIn/step` takes beside the second step.',
};
const methods = {
  type: 'array',
  description: 'The ways to take the second step.',
  maxItems: 16,
  items: { type: 'string', maxLength: 32 },
};
const expiresAt = {
  type: 'string',
  format: 'date-time',
  maxLength: 100,
  description: 'When the challenge ends.',
};

const emailWithheldUntil = {
  type: 'string',
  format: 'date-time',
  maxLength: 100,
  description: 'Until when a reset by mail leaves out a mailed code at an unfamiliar place.',
};

const startUrl = {
  type: 'string',
  format: 'uri',
  maxLength: 2048,
  description: 'Where the browser begins the sign-in that the account requires.',
};

const flow = {
  type: 'string',
  maxLength: 16_384,
  description:
    'The flow of the mail that was just sent: `POST /v1/signIn/email` takes it with the code of the mail.',
};

const code = { type: 'string', enum: Object.keys(ERRORS) };
const sentence = { type: 'string', maxLength: 1000 };
const requestId = { type: 'string', maxLength: 64 };

/**
 * The additional fields of some codes: what to verify, the second step of a sign-in, the passkey to forget, the mail that was sent,
 * or where to sign in.
 */
const OF_SOME_CODES = {
  verification,
  challenge,
  methods,
  expiresAt,
  emailWithheldUntil,
  signals,
  flow,
  startUrl,
};

/**
 * The two forms of a refusal. Operations refer to the first only: with both, generated clients would have to
 * distinguish the forms before they could read a refusal.
 */
export const REFUSAL_SCHEMAS: Readonly<Record<string, Schema>> = {
  ApiError: {
    type: 'object',
    description: 'A refusal. Those who accept `application/problem+json` get `Problem` in its place.',
    properties: {
      status: { type: 'boolean', const: false },
      message: sentence,
      error: {
        type: 'object',
        properties: { code, issues, ...OF_SOME_CODES },
        required: ['code'],
        additionalProperties: false,
      },
      requestId,
    },
    required: ['status', 'message', 'error', 'requestId'],
    additionalProperties: false,
    // Names the schema of the other form, to which no operation refers.
    'x-problem': { $ref: '#/components/schemas/Problem' },
  },
  Problem: {
    type: 'object',
    description:
      'A refusal as problem details (RFC 9457): in place of every `ApiError`, for those who accept `application/problem+json`.',
    properties: {
      type: { type: 'string', format: 'uri', maxLength: 100 },
      title: sentence,
      status: { type: 'integer', format: 'int64', minimum: 400, maximum: 599 },
      detail: sentence,
      instance: { type: 'string', format: 'uri-reference', maxLength: 16_384 },
      code,
      issues,
      ...OF_SOME_CODES,
      requestId,
    },
    required: ['type', 'title', 'status', 'detail', 'instance', 'code', 'requestId'],
    additionalProperties: false,
  },
};

/** The answer to all refusals with one status. */
export function refusalAnswer(
  codes: readonly ErrorCode[],
  credentials: readonly CredentialKind[] = [],
): Response {
  const plain = codes.filter((each) => PLAIN_BODIES[each] !== undefined);
  const others = codes.filter((each) => PLAIN_BODIES[each] === undefined);
  const text = plain.map((each) => PLAIN_BODIES[each]).find((body) => body !== '');
  const content: Record<string, MediaType> = {
    ...(text === undefined
      ? {}
      : { 'text/plain': { schema: { type: 'string', const: text }, example: text } }),
    ...(others.length === 0 ? {} : { 'application/json': envelope(others, credentials) }),
  };
  return {
    description: codes
      .map((each) => `\`${each}\`: ${Object.values(sentencesOf(each, credentials)).join(' Or: ')}`)
      .join('\n\n'),
    headers: { ...EVERY_ANSWER, ...statusHeaders(codes) },
    ...(Object.keys(content).length === 0 ? {} : { content }),
  };
}

function statusHeaders([first]: readonly ErrorCode[]): Response['headers'] {
  const status = first === undefined ? undefined : ERRORS[first].status;
  if (status === 401) return headerReferences('WWW-Authenticate');
  if (status === 503) return headerReferences('Retry-After');
  return status === 429 ? headerReferences('Retry-After', 'RateLimit', 'RateLimit-Policy') : {};
}

function envelope(codes: readonly ErrorCode[], credentials: readonly CredentialKind[]): MediaType {
  const narrowed = { error: { type: 'object', properties: { code: { type: 'string', enum: codes } } } };
  const examples = codes.flatMap((code) =>
    Object.entries(sentencesOf(code, credentials)).map(([name, message]) => {
      const value = { status: false, message, error: { code }, requestId: EXAMPLE_REQUEST_ID };
      return [name, { summary: message, value }] as const;
    }),
  );
  return { schema: narrowedBy('ApiError', narrowed), examples: Object.fromEntries(examples) };
}

/** The sentences that a code may have in an operation, each by a name. */
function sentencesOf(code: ErrorCode, credentials: readonly CredentialKind[]): Record<string, string> {
  if (code !== 'invalid_credentials' || credentials.length === 0) return { [code]: sentenceOf(code) };
  return Object.fromEntries(credentials.map((each) => [`${code}-${each}`, sentenceOf(code, each)]));
}

function narrowedBy(component: string, properties: Schema): Schema {
  return { allOf: [{ $ref: `#/components/schemas/${component}` }, { type: 'object', properties }] };
}

function headerReferences(...names: string[]): Readonly<Record<string, Reference>> {
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}
