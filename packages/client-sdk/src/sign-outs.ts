import { TRPCClientError, type TRPCLink } from '@trpc/client';
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
  during(end: (signal: AbortSignal) => Promise<void>): Promise<void>;
  readonly link: TRPCLink<ClientTypes>;
}

/** What a sign-out has left: whether the service has yet to end a session, and how it is asked to. */
export interface LeftSignOut {
  isOpen(): boolean;
  finish(): Promise<void>;
}

/**
 * A call finishes first what a sign-out has left, and fails with it: nobody acts in a session that they have signed out of. A
 * sign-in does not need it, because the service ends the session that it replaces in the cookie.
 */
export function createSignOuts(left: LeftSignOut, longestMs = LONGEST_MS): SignOuts {
  let pending: Promise<void> | undefined;

  async function ready(isSignIn: boolean): Promise<void> {
    try {
      await (pending ?? left.finish());
    } catch (error) {
      if (!isSignIn && left.isOpen()) throw error;
    }
  }

  return {
    async during(end) {
      const late = new AbortController();
      const timer = setTimeout(() => {
        late.abort();
      }, longestMs);
      const ending = end(late.signal);
      const settled = Promise.allSettled([pending, ending]).then(async () => {
        clearTimeout(timer);
        if (pending === settled) pending = undefined;
        return ending;
      });
      pending = settled;
      // Those who wait hear of it.
      settled.catch(() => undefined);
      return ending;
    },
    link:
      () =>
      ({ op, next }) =>
        observable((observer) => {
          const isSignIn = op.path.startsWith('signIn.');
          let running: Unsubscribable | undefined;
          let isLeft = false;
          const begin = (): void => {
            if (!isLeft) running = next(op).subscribe(observer);
          };
          if (op.path === ENDING || (pending === undefined && (isSignIn || !left.isOpen()))) begin();
          else {
            ready(isSignIn).then(begin, (error: unknown) => {
              observer.error(TRPCClientError.from(error instanceof Error ? error : new Error(String(error))));
            });
          }
          return () => {
            isLeft = true;
            running?.unsubscribe();
          };
        }),
  };
}
