import { TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { ClientTypes } from './client-types.js';

/** Ends a call at once when its signal aborts, even while it waits for a retry or for a proof. */
export const abortLink: TRPCLink<ClientTypes> =
  () =>
  ({ op, next }) =>
    observable((observer) => {
      const { signal } = op;
      let end = (): void => undefined;

      function onAbort(): void {
        end();
        observer.error(TRPCClientError.from(abortReason(signal)));
      }

      signal?.addEventListener('abort', onAbort, { once: true });
      if (signal?.aborted === true) onAbort();
      else {
        const running = next(op).subscribe(observer);
        end = () => {
          running.unsubscribe();
        };
      }
      return () => {
        signal?.removeEventListener('abort', onAbort);
        end();
      };
    });

function abortReason(signal: AbortSignal | null | undefined): Error {
  const reason: unknown = signal?.reason;
  return isError(reason) ? reason : new DOMException('The call was aborted', 'AbortError');
}

/** By its name, because tests in Jest have an `Error` of their own. */
function isError(reason: unknown): reason is Error {
  return typeof reason === 'object' && reason !== null && 'name' in reason && 'message' in reason;
}
