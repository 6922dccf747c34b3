import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { ClientOptions } from './client-options.js';
import type { ClientTypes } from './client-types.js';
import { isGatehouseError } from './errors.js';
import { callOptionsIn } from './per-call.js';
import type { Proof } from './verification.js';

/**
 * Proves who calls when a call asks, and repeats the call once. Calls that ask at the same time share one question. A call
 * that brings its own token is left alone.
 */
export function verificationLink(ask: NonNullable<ClientOptions['onVerification']>): TRPCLink<ClientTypes> {
  return () => {
    let proving: Promise<boolean> | undefined;
    return ({ op, next }) =>
      observable((observer) => {
        const { token, bearer } = callOptionsIn(op.context);
        let end = (): void => undefined;
        let isOver = false;

        const prove = (proof: Proof) =>
          new Promise<boolean>((resolve, reject) => {
            next({ ...op, type: 'mutation', path: 'verification.prove', input: proof }).subscribe({
              next: () => {
                resolve(true);
              },
              error: reject,
            });
          });

        function attempt(isRepeated: boolean): void {
          const running = next(op).subscribe({
            ...observer,
            error(error) {
              const need = isGatehouseError(error, 'verification_required')
                ? error.data.verification
                : undefined;
              if (need === undefined || isRepeated || token !== undefined || bearer !== undefined) {
                observer.error(error);
                return;
              }
              proving ??= ask(need)
                .then((proof) => (proof === undefined ? false : prove(proof)))
                .finally(() => {
                  proving = undefined;
                });
              proving.then(
                (isProven) => {
                  if (isOver) return;
                  if (isProven) attempt(true);
                  else observer.error(error);
                },
                (reason: unknown) => {
                  observer.error(toClientError(reason, error));
                },
              );
            },
          });
          end = () => {
            running.unsubscribe();
          };
        }

        attempt(false);
        return () => {
          isOver = true;
          end();
        };
      });
  };
}

/** The refusal of a proof; whatever else the question failed with leaves the refusal of the call. */
function toClientError<Refusal>(reason: unknown, refusal: Refusal): Refusal {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- isGatehouseError has seen the same class as that of the refusal.
  return isGatehouseError(reason) ? (reason as Refusal) : refusal;
}
