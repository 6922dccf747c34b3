import type { IncomingMessage } from 'node:http';
import { hasBody } from '../server/has-body.js';

/** The calls of a request that only reads. */
export interface Queries {
  /** The names of the procedures, in the order of the answer. */
  readonly names: readonly string[];
  /** What each is called with. */
  readonly inputs: readonly unknown[];
  /** Whether the answer is a list, even of one. */
  readonly isBatch: boolean;
}

/** Nothing that has to be decoded. */
const PLAIN_PATH = /^[\w.,]+$/;
const PLAIN_HOST = /^[\w.:[\]-]+$/;

/**
 * The calls of a tRPC request, where all are queries that exist and are well-formed and nothing but JSON is asked for. Whatever
 * else is undefined here, and is for tRPC's own adapter to read or to refuse.
 * @param known the names of the queries
 */
export function queriesIn(
  request: Pick<IncomingMessage, 'method' | 'headers'>,
  { path, search }: { readonly path: string; readonly search: string },
  { known, limit }: { readonly known: ReadonlySet<string>; readonly limit: number },
): Queries | undefined {
  if (request.method !== 'GET' || !isPlain(request) || !PLAIN_PATH.test(path) || search.includes('#'))
    return undefined;
  const query = new URLSearchParams(search);
  if (query.has('connectionParams')) return undefined;
  const isBatch = query.get('batch') === '1';
  const names = isBatch ? path.split(',') : [path];
  if (names.length > limit || !names.every((name) => known.has(name))) return undefined;
  const inputs = inputsIn(query.get('input'), { isBatch, count: names.length });
  return inputs && { names, inputs, isBatch };
}

function isPlain(request: Pick<IncomingMessage, 'headers'>): boolean {
  const { host, accept } = request.headers;
  const type = request.headers['content-type'];
  return (
    request.headers['trpc-accept'] === undefined &&
    !accept?.includes('jsonl') &&
    (type === undefined || type === 'application/json') &&
    PLAIN_HOST.test(host ?? '') &&
    !hasBody(request)
  );
}

function inputsIn(
  text: string | null,
  { isBatch, count }: { readonly isBatch: boolean; readonly count: number },
): readonly unknown[] | undefined {
  if (text === null || text === '') return Array.from({ length: count });
  const sent = parsed(text);
  if (sent === undefined) return undefined;
  if (!isBatch) return [sent];
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent)) return undefined;
  const byIndex = new Map<string, unknown>(Object.entries(sent));
  return Array.from({ length: count }, (_, index) => byIndex.get(String(index)));
}

/** Undefined for what is not JSON. */
function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
