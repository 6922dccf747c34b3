import { isRecord } from '../record/json.js';
import type { RecordedExchange, RecordedLine } from '../record/recorded-exchange.js';
import { oldEndpointAt } from './old-endpoints.js';
import { type PlayedExchange, sentField } from './played-exchange.js';
import type { ResolvedRequest, SecretBindings } from './secret-bindings.js';
import { type PlayedAnswer, type SentRequest, sendPlayed } from './send-played.js';

export interface PlayOptions {
  readonly old: URL;
  readonly new: URL;
  readonly tokenHeader: string;
  /** Whether requests that write are replayed. */
  readonly writes: boolean;
  /** How many reading requests are under way at once. */
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly bindings: SecretBindings;
}

/** The outcome for a recorded request: both answers, or why it was not replayed. */
export type Played = { readonly exchange: PlayedExchange } | { readonly leftOut: string };

/**
 * Replays the requests of a recording against both systems and reports each. Read requests are replayed concurrently; each of the
 * others alone, after all before it, because later ones may need its answer.
 */
export async function playRecording(
  lines: AsyncIterable<RecordedLine>,
  options: PlayOptions,
  tell: (played: Played) => void,
): Promise<void> {
  const underWay = new Set<Promise<void>>();
  const history = createHistory();
  for await (const line of lines) {
    if (line.is !== 'exchange') continue;
    const endpoint = oldEndpointAt(line.request.path);
    if (endpoint.effect !== 'reads') await Promise.all(underWay);
    const request = requestToPlay(line, options);
    if (typeof request === 'string') {
      tell({ leftOut: request });
      continue;
    }
    const session = history.sessionOf(request, options.tokenHeader);
    const playing = sendBoth(request, options).then(([old, other]) => {
      const exchange = { endpoint, request: request.old, body: request.body, old, new: other, session };
      if (endpoint.effect !== 'reads') {
        options.bindings.learn(line.answer, exchange);
        history.add(exchange);
      }
      tell({ exchange });
    });
    underWay.add(playing);
    void playing.then(
      () => underWay.delete(playing),
      () => undefined,
    );
    if (endpoint.effect !== 'reads') await playing;
    else if (underWay.size >= options.concurrency) await Promise.race(underWay);
  }
  await Promise.all(underWay);
}

/** The request with its secrets, or why it is not replayed. */
function requestToPlay(
  { request, leftOut }: RecordedExchange,
  { writes, bindings }: PlayOptions,
): ResolvedRequest | string {
  const { effect } = oldEndpointAt(request.path);
  if (effect === 'once') return 'it counts once, or for a moment';
  if (!writes && (effect === 'writes' || effect === 'creates')) return 'it may write: --writes plays it';
  if (leftOut?.some((what) => what.startsWith('the body of the request') || what.startsWith('both')))
    return 'its body is not in the recording';
  if (request.body?.kind === 'text') return 'its body is not in the recording';
  return bindings.resolve(request);
}

async function sendBoth(
  request: { readonly old: SentRequest; readonly new: SentRequest },
  { old, new: other, timeoutMs }: PlayOptions,
): Promise<readonly [PlayedAnswer | undefined, PlayedAnswer | undefined]> {
  return Promise.all([sendPlayed(old, request.old, timeoutMs), sendPlayed(other, request.new, timeoutMs)]);
}

/** The changes to sessions and members so far. */
function createHistory() {
  const ended = new Set<string>();
  const removed = new Set<number>();
  return {
    sessionOf(
      { old: { headers }, secrets }: ResolvedRequest,
      tokenHeader: string,
    ): PlayedExchange['session'] {
      const token = headers[tokenHeader];
      const [, bearer] = /^Bearer +(.+)$/i.exec(headers['authorization'] ?? '') ?? [];
      const secret = secrets.find(({ old }) => old !== undefined && (old === token || old === bearer));
      return {
        token,
        bearer,
        isOfLoginUrl: secret?.isPart === true,
        hasEnded: ended.has(token ?? bearer ?? ''),
        isOfRemoved: secret?.memberId !== undefined && removed.has(secret.memberId),
      };
    },
    add(exchange: PlayedExchange): void {
      const { endpoint, session, old, new: other } = exchange;
      const credential = session.token ?? session.bearer;
      if (endpoint.path === '/auth/logout' && credential !== undefined && other?.status === 200)
        ended.add(credential);
      if (endpoint.path === '/deleteUser' && isRecord(old?.body))
        removed.add(Number(sentField(exchange, 'userId')));
    },
  };
}
