import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { ClientOptions } from './client-options.js';
import type { ClientTypes } from './client-types.js';
import { isVerificationRequired } from './errors.js';
import { callOptionsIn } from './per-call.js';
import type { Proof, VerificationNeed } from './verification.js';

type Ask = NonNullable<ClientOptions['onVerification']>;

interface Question {
  readonly signIn: number | undefined;
  readonly isProven: Promise<boolean>;
}

/**
 * Verifies the caller when a call requires it, and repeats the call once. Concurrent calls of one sign-in share one prompt, whose
 * proof outlives each of them. A call with its own token is not handled.
 */
export function verificationLink(ask: Ask): TRPCLink<ClientTypes> {
  // Shared by the clients of all accounts.
  let open: Question | undefined;
  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const { token, bearer, signIn } = callOptionsIn(op.context);
        let end = (): void => undefined;
        let isOver = false;

        const prove = (proof: Proof) =>
          new Promise<boolean>((resolve, reject) => {
            const call = { ...op, type: 'mutation', path: 'verification.prove', input: proof } as const;
            next({ ...call, context: { gatehouse: { signIn } }, signal: null }).subscribe({
              next: () => {
                resolve(true);
              },
              error: reject,
            });
          });

        async function askAndProve(need: VerificationNeed): Promise<boolean> {
          const proof = await ask(need);
          return proof !== undefined && prove(proof);
        }

        function isProven(need: VerificationNeed): Promise<boolean> {
          if (open !== undefined && open.signIn === signIn) return open.isProven;
          const question: Question = {
            signIn,
            isProven: askAndProve(need).finally(() => {
              if (open === question) open = undefined;
            }),
          };
          open = question;
          return question.isProven;
        }

        function attempt(isRepeated: boolean): void {
          const running = next(op).subscribe({
            ...observer,
            error(error) {
              const need = isVerificationRequired(error) ? error.data.verification : undefined;
              if (need === undefined || isRepeated || token !== undefined || bearer !== undefined) {
                observer.error(error);
                return;
              }
              isProven(need).then(
                (hasProven) => {
                  if (isOver) return;
                  if (hasProven) attempt(true);
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
}

/** The error of the proof. If the prompt fails, the call fails with its own refusal. */
function toClientError<Refusal>(reason: unknown, refusal: Refusal): Refusal {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- a TRPCClientError, as the refusal is.
  return reason instanceof TRPCClientError ? (reason as unknown as Refusal) : refusal;
}
