import { type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import { CommandError } from '../command-error.js';
import { type Json, parseJson } from '../record/json.js';

/** A request as one of the systems gets it. */
export interface SentRequest {
  readonly method: string;
  /** Path and query. */
  readonly target: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | undefined;
}

/** An answer of one of the systems. */
export interface PlayedAnswer {
  readonly status: number;
  /** Without its parameters; empty without a body. */
  readonly mediaType: string;
  readonly location: string | undefined;
  readonly text: string;
  /** The value of the text, if it is JSON. */
  readonly body: Json | undefined;
}

const MAX_ANSWER_BYTES = 64 * 1024 * 1024;

/**
 * Sends a request, including a GET with a body, as old clients do. Undefined without an answer in time.
 * @throws {CommandError} if nothing listens there
 */
export function sendPlayed(
  base: URL,
  { method, target, headers, body = '' }: SentRequest,
  timeoutMs: number,
): Promise<PlayedAnswer | undefined> {
  const send = base.protocol === 'https:' ? requestHttps : requestHttp;
  const path = `${base.pathname.replace(/\/$/, '')}${target}`;
  const length = body === '' && method === 'GET' ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve, reject) => {
    const signal = AbortSignal.timeout(timeoutMs);
    const options = { method, path, headers: { ...headers, ...length }, signal };
    const sent = send(base.origin, options, (answer) => {
      readAnswer(answer).then(resolve, () => {
        resolve(undefined);
      });
    });
    sent.on('error', (error) => {
      if (signal.aborted || !('code' in error) || !NOBODY_THERE.has(String(error.code))) resolve(undefined);
      else reject(new CommandError(`${base.origin} does not answer: ${String(error.code)}.`));
    });
    sent.end(body);
  });
}

const NOBODY_THERE = new Set(['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH']);

async function readAnswer(answer: IncomingMessage): Promise<PlayedAnswer> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  const parts: AsyncIterable<Buffer> = answer;
  for await (const part of parts) {
    bytes += part.length;
    if (bytes > MAX_ANSWER_BYTES) throw new Error('the answer is too long');
    chunks.push(part);
  }
  const text = Buffer.concat(chunks).toString();
  const type = answer.headers['content-type']?.split(';')[0]?.trim().toLowerCase() ?? '';
  return {
    status: answer.statusCode ?? 0,
    mediaType: text === '' ? '' : type,
    location: answer.headers.location,
    text,
    body: /[/+]json$/.test(type) ? parseJson(text) : undefined,
  };
}
