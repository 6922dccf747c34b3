import type { TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import type { ClientTypes } from './client-types.js';

const ENDING = 'session.end';

/** A network that answers nothing keeps nobody from signing in again. */
const LONGEST_MS = 20_000;

/**
 * Keeps the calls of a page back while it signs out. The browser sends the cookie it has when a request leaves: a slow sign-out
 * would end the session of a sign-in that overtakes it, or its answer remove that one's cookie.
 */
export interface SignOuts {
  /** Ends a session. Calls wait from now on until that and those before it are settled; its signal aborts after 20 seconds. */
  during<Result>(end: (signal: AbortSignal) => Promise<Result>): Promise<Result>;
  readonly link: TRPCLink<ClientTypes>;
}

export function createSignOuts(longestMs = LONGEST_MS): SignOuts {
  let pending: Promise<void> | undefined;
  return {
    during(end) {
      const late = new AbortController();
      const timer = setTimeout(() => {
        late.abort();
      }, longestMs);
      const ending = end(late.signal);
      const settled = Promise.allSettled([pending, ending]).then(() => {
        clearTimeout(timer);
        if (pending === settled) pending = undefined;
      });
      pending = settled;
      return ending;
    },
    link:
      () =>
      ({ op, next }) =>
        observable((observer) => {
          let running: Unsubscribable | undefined;
          let isLeft = false;
          const begin = (): void => {
            if (!isLeft) running = next(op).subscribe(observer);
          };
          if (pending === undefined || op.path === ENDING) begin();
          else void pending.then(begin);
          return () => {
            isLeft = true;
            running?.unsubscribe();
          };
        }),
  };
}
