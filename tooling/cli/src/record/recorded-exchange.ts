import { z } from 'zod';
import { json } from './json.js';

const pairs = z.array(z.tuple([z.string(), z.string()]));
const headers = z.record(z.string(), z.string());

/** A body: JSON, a form, or another text, of which only a digest is kept. */
const recordedBody = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('json'), value: json }),
  z.object({ kind: z.literal('form'), pairs }),
  z.object({ kind: z.literal('text'), digest: z.string() }),
]);

export type RecordedBody = z.output<typeof recordedBody>;

/** The first line of a recording. */
const recordingLine = z.object({
  is: z.literal('recording'),
  version: z.literal(1),
  at: z.iso.datetime(),
  /** The digest of a known text, which shows whether a key is that of the recording. */
  key: z.string(),
  /** The header of session tokens, in lower case. */
  tokenHeader: z.string(),
});

/** A request and its answer. */
const exchangeLine = z.object({
  is: z.literal('exchange'),
  at: z.iso.datetime(),
  ms: z.number(),
  request: z.object({
    method: z.string(),
    path: z.string(),
    query: pairs,
    headers,
    body: recordedBody.exactOptional(),
  }),
  answer: z.object({ status: z.int(), headers, body: recordedBody.exactOptional() }).optional(),
  /** Why there is no answer, or no complete one. */
  failure: z.string().exactOptional(),
  /** What is missing from this line, and why. */
  leftOut: z.array(z.string()).exactOptional(),
});

export type RecordedExchange = z.output<typeof exchangeLine>;
export type RecordedRequest = RecordedExchange['request'];

const endLine = z.object({
  is: z.literal('end'),
  at: z.iso.datetime(),
  exchanges: z.int(),
  /** Exchanges that are not in the file. */
  leftOut: z.int(),
});

/** A line of a recording. */
export const recordedLine = z.discriminatedUnion('is', [recordingLine, exchangeLine, endLine]);

export type RecordedLine = z.output<typeof recordedLine>;

/** The text whose digest names the key. */
export const KEY_SAMPLE = 'gatehouse recording';
