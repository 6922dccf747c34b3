import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { ClientTypes } from './client-types.js';
import { callOptionsIn } from './per-call.js';
import { type RetryPolicy, retryWaitMs } from './retry-wait.js';

/** Retries failed calls by the policy. */
export function retryLink(policy: RetryPolicy): TRPCLink<ClientTypes> {
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const isRepeatable = op.type === 'query' || callOptionsIn(op.context).isRepeatable === true;
        let end = (): void => undefined;

        function attempt(tries: number): void {
          const running = next(op).subscribe({
            ...observer,
            error(error) {
              const waitMs = retryWaitMs({ error, isRepeatable, tries, random: randomFraction() }, policy);
              if (waitMs === undefined) {
                observer.error(error);
                return;
              }
              const timer = setTimeout(attempt, waitMs, tries + 1);
              end = () => {
                clearTimeout(timer);
              };
            },
          });
          end = () => {
            running.unsubscribe();
          };
        }

        attempt(1);
        return () => {
          end();
        };
      });
}

function randomFraction(): number {
  const [value = 0] = crypto.getRandomValues(new Uint32Array(1));
  return value / 2 ** 32;
}
