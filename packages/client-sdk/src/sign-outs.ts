import type { TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import type { ClientTypes } from './client-types.js';

const ENDING = 'session.end';

/**
 * Keeps the calls of a page back while it signs out. The browser sends the cookie it has when a request leaves: a sign-out that is
 * slow, or tried again, would end the session of a sign-in that has overtaken it, and its answer remove that one's cookie.
 */
export interface SignOuts {
  /** Calls wait from now on until `ending` is settled. */
  during<Result>(ending: Promise<Result>): Promise<Result>;
  readonly link: TRPCLink<ClientTypes>;
}

export function createSignOuts(): SignOuts {
  let pending: Promise<void> | undefined;
  return {
    during(ending) {
      const settled = ending.then(noop, noop).then(() => {
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

const noop = (): void => undefined;
