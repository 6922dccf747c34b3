import { httpBatchLink, TRPCClientError, type TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import { batchOptions, type Caller } from './batch-options.js';
import type { ClientOptions } from './client-options.js';
import type { ClientTypes } from './client-types.js';
import { deviceId } from './device-id.js';
import { isGatehouseError } from './errors.js';
import { callOptionsIn } from './per-call.js';
import type { Session } from './session.js';

type Send = ReturnType<TRPCLink<ClientTypes>>;

/**
 * Sends calls. Calls of one caller in the same tick are sent as one batch, and a refresh by itself. If the service refuses
 * the token, the session is removed. A call that waited, for another try or for a proof, is not sent in another sign-in.
 */
export function callerLink(options: ClientOptions, session: Session): TRPCLink<ClientTypes> {
  const open = new Map<string, Send>();
  const device = options.deviceId === undefined ? deviceId() : (options.deviceId ?? undefined);

  /** A proxy's page is not an answer of the service. */
  function hear({ headers }: Response): void {
    if (headers.get('content-type')?.includes('json') === true) session.hearTime(headers.get('date'));
  }

  function senderFor(caller: Caller, path: string): Send {
    const key = JSON.stringify([caller, path === 'session.refresh']);
    const known = open.get(key);
    if (known) return known;
    const send = httpBatchLink<ClientTypes>(batchOptions(options, caller, device, hear))({});
    open.set(key, send);
    // A batch is sent when this tick ends. A sender kept longer would collect tokens.
    setTimeout(() => open.delete(key));
    return send;
  }

  return () =>
    ({ op, next }) =>
      observable((observer) => {
        const { accountId = null, bearer, token: ownToken, signIn } = callOptionsIn(op.context);
        const isOfSession = ownToken === undefined && bearer === undefined;
        if (isOfSession && signIn !== session.signIn) {
          observer.error(TRPCClientError.from(new Error('The sign-in changed while the call waited')));
          return undefined;
        }
        const { held } = session;
        const token = isOfSession ? session.token : (ownToken ?? null);
        return senderFor(
          { accountId, token, bearer },
          op.path,
        )({ op, next }).subscribe({
          ...observer,
          error(error) {
            // `signOut` says itself that the session is over, also where its first answer was lost.
            const isRefusal = op.path !== 'session.end' && isGatehouseError(error, 'unauthorized');
            if (isOfSession && held !== null && isRefusal) session.refuse(held);
            observer.error(error);
          },
        });
      });
}
