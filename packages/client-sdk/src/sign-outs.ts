import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable, type Unsubscribable } from '@trpc/server/observable';
import type { ClientTypes } from './client-types.js';
import { pageLocks } from './page-locks.js';

const ENDING = /^session\.end(Late)?$/;

/** A network that answers nothing keeps nobody from signing in again. */
const LONGEST_MS = 20_000;

/** Whether the service has yet to end a session, and how it is asked to. */
export interface LeftSignOut {
  isOpen(): boolean;
  end(signal: AbortSignal, isNow: boolean): Promise<void>;
}

/**
 * Keeps sign-outs and sign-ins of an origin apart. The browser sends the cookie it has when a request leaves: a slow sign-out would
 * end the session of a sign-in that overtakes it, or its answer remove that one's cookie. Calls wait for a sign-out, and fail if it
 * fails: nobody acts in a session that they have signed out of.
 */
export interface SignOuts {
  /**
   * Ends what is left to end, within 20 seconds after others of the origin. Those who ask meanwhile get the same answer.
   * @param isNow whether the person signs out now
   */
  finish(isNow?: boolean): Promise<void>;
  readonly link: TRPCLink<ClientTypes>;
}

export function createSignOuts(
  left: LeftSignOut,
  { name, longestMs = LONGEST_MS }: { name: string; longestMs?: number },
): SignOuts {
  let last: Promise<unknown> = Promise.resolve();
  let finishing: Promise<void> | undefined;

  /** Runs one after the other in all tabs; where tabs cannot agree, in this one. */
  function alone<Result>(work: () => Promise<Result>): Promise<Result> {
    const locks = pageLocks();
    const how = { signal: AbortSignal.timeout(longestMs) };
    const run = locks === undefined ? last.then(work) : locks.request(name, how, work);
    last = run.catch(() => undefined);
    return run;
  }

  function finish(isNow = false): Promise<void> {
    finishing ??= alone(() => left.end(AbortSignal.timeout(longestMs), isNow)).finally(() => {
      finishing = undefined;
    });
    return finishing;
  }

  /** Until nothing is left to end. */
  async function ready(): Promise<void> {
    while (left.isOpen()) {
      await finish().catch((error: unknown) => {
        if (left.isOpen()) throw error;
      });
    }
  }

  /** A sign-in replaces what is left to end. Until it is settled, nothing is ended. A tab that sleeps keeps nobody out. */
  function signInAlone(begin: () => Promise<void>): Promise<void> {
    return alone(() =>
      Promise.race([begin(), new Promise<void>((resolve) => setTimeout(resolve, longestMs))]),
    ).catch(begin);
  }

  return {
    finish,
    link:
      () =>
      ({ op, next }) =>
        observable((observer) => {
          let running: Unsubscribable | undefined;
          let isLeft = false;
          let settle = (): void => undefined;
          // Whoever signs in keeps the answer before others go on.
          function settleSoon(): void {
            setTimeout(settle);
            settle = () => undefined;
          }

          function begin(): Promise<void> {
            return new Promise((resolve) => {
              settle = resolve;
              if (isLeft) {
                resolve();
                return;
              }
              running = next(op).subscribe({
                ...observer,
                error(error) {
                  observer.error(error);
                  settleSoon();
                },
                complete() {
                  observer.complete();
                  settleSoon();
                },
              });
            });
          }

          if (ENDING.test(op.path) || !left.isOpen()) void begin();
          else {
            const isSignIn = op.path.startsWith('signIn.');
            (isSignIn ? signInAlone(begin) : ready().then(() => void begin())).catch((error: unknown) => {
              // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- calls fail with errors
              observer.error(TRPCClientError.from(error as Error));
            });
          }
          return () => {
            isLeft = true;
            running?.unsubscribe();
            settle();
          };
        }),
  };
}
