import { isList, isRecord, type Json, parseInner, parseJson } from '../record/json.js';
import type { RecordedExchange, RecordedRequest } from '../record/recorded-exchange.js';
import { digestsIn, partsOf, replaceDigests, type SecretDigests } from '../record/secret-digests.js';
import type { PlayedAnswer, SentRequest } from './send-played.js';

export type Side = 'old' | 'new';

/** The replacements for a digest of the recording at each of the systems. */
interface Binding {
  readonly old: string | undefined;
  readonly new: string | undefined;
  /** Whether it was inside another text, like the token of a login URL. */
  readonly isPart: boolean;
  /** The member whom it signs in, if the answer that contained it said so. */
  readonly memberId: number | undefined;
}

/** A request for both systems, and its secrets. */
export interface ResolvedRequest {
  readonly old: SentRequest;
  readonly new: SentRequest;
  /** Its body as the old system gets it; the fields of a form as an object. */
  readonly body: Json | undefined;
  readonly secrets: readonly Binding[];
}

export interface SecretBindings {
  /** The request with its secrets, or why one is missing. */
  resolve(request: RecordedRequest): ResolvedRequest | string;
  /** Learns the secrets that both systems returned where the recorded answer had digests. */
  learn(
    answer: RecordedExchange['answer'],
    live: { readonly old: PlayedAnswer | undefined; readonly new: PlayedAnswer | undefined },
  ): void;
}

const UNKNOWN = 'a secret that is not in the file of --secrets';
const NOT_ISSUED = 'a secret that one of the systems did not issue';

/** Secrets that the operator gave, each of which both systems know. */
export function createSecretBindings(digests: SecretDigests, given: readonly string[]): SecretBindings {
  const bound = new Map<string, Binding>();
  for (const secret of given) {
    const binding: Binding = { old: secret, new: secret, isPart: false, memberId: undefined };
    const value = parseJson(secret);
    if (value !== undefined) bound.set(digests.of(value), binding);
    bound.set(digests.of(secret), binding);
  }
  // Secrets that only one answer shows, as the replaced system shows stored passwords, are not learned.
  const ofFile: ReadonlySet<string> = new Set(bound.keys());
  return {
    resolve(request) {
      const used = new Map<string, Binding>();
      let problem: string | undefined;
      const fill = (side: Side) => (text: string) =>
        replaceDigests(text, (digest) => {
          const binding = bound.get(digest);
          if (binding !== undefined) used.set(digest, binding);
          const value = binding?.[side];
          if (value === undefined) problem = binding === undefined ? UNKNOWN : NOT_ISSUED;
          return value ?? '';
        });
      const [old, other] = [requestFor(request, fill('old')), requestFor(request, fill('new'))];
      if (problem !== undefined) return problem;
      return { old: old.sent, new: other.sent, body: old.value, secrets: [...used.values()] };
    },
    learn(answer, live) {
      if (answer?.body?.kind !== 'json') return;
      const memberId = numberAt(answer.body.value, 'userId');
      const walk = (recorded: Json, old: Json | undefined, other: Json | undefined): void => {
        if (typeof recorded === 'string') {
          const found = digestsIn(recorded);
          const [ofOld, ofNew] = [old, other].map((value) => partsAlike(value, found.length));
          for (const [at, digest] of found.entries())
            if (!ofFile.has(digest))
              bound.set(digest, { old: ofOld?.[at], new: ofNew?.[at], isPart: found.length > 1, memberId });
        } else if (isList(recorded))
          for (const [at, each] of recorded.entries()) walk(each, itemAt(old, at), itemAt(other, at));
        else if (isRecord(recorded))
          for (const [name, each] of Object.entries(recorded))
            walk(each, fieldOf(old, name), fieldOf(other, name));
      };
      walk(answer.body.value, live.old?.body, live.new?.body);
    },
  };
}

function partsAlike(value: Json | undefined, count: number): readonly string[] | undefined {
  const parts = typeof value === 'string' ? partsOf(value) : [];
  return parts.length === count ? parts : undefined;
}

const itemAt = (value: Json | undefined, at: number): Json | undefined =>
  isList(value) ? value[at] : undefined;
const fieldOf = (value: Json | undefined, name: string): Json | undefined =>
  isRecord(value) ? value[name] : undefined;

function numberAt(value: Json, name: string): number | undefined {
  const found = fieldOf(value, name);
  return typeof found === 'number' ? found : undefined;
}

/** Cookies are not sent: the replaced system reads them only in social sign-ins. */
function requestFor(
  { method, path, query, headers, body }: RecordedRequest,
  fill: (text: string) => string,
): { readonly sent: SentRequest; readonly value: Json | undefined } {
  const { cookie: _, ...kept } = headers;
  const filled = (value: Json): Json => {
    if (typeof value === 'string') return fillText(value);
    if (isList(value)) return value.map(filled);
    if (!isRecord(value)) return value;
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [fill(name), filled(each)]));
  };
  // JSON in a text stays JSON when secrets in it contain quotes.
  const fillText = (text: string): string => {
    const value = digestsIn(text).length === 0 ? undefined : parseInner(text);
    return value === undefined ? fill(text) : JSON.stringify(filled(value));
  };
  const search = new URLSearchParams(
    query.map(([name, value]): [string, string] => [fill(name), fillText(value)]),
  );
  const target = fill(path) + (search.size === 0 ? '' : `?${search.toString()}`);
  const sent = {
    method,
    target,
    headers: Object.fromEntries(Object.entries(kept).map(([name, value]) => [name, fill(value)])),
  };
  if (body?.kind === 'json') {
    const value = filled(body.value);
    return { sent: { ...sent, body: JSON.stringify(value) }, value };
  }
  if (body?.kind === 'form') {
    const pairs = body.pairs.map(([name, value]): [string, string] => [fill(name), fillText(value)]);
    const text = new URLSearchParams(pairs).toString();
    return { sent: { ...sent, body: text }, value: Object.fromEntries(pairs) };
  }
  return { sent: { ...sent, body: undefined }, value: undefined };
}
