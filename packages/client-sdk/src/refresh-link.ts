import type { TRPCLink } from '@trpc/client';
import { observable } from '@trpc/server/observable';
import type { ClientTypes } from './client-types.js';
import { pageLocks } from './page-window.js';
import { callOptionsIn } from './per-call.js';
import type { KeptSession, Session } from './session.js';

type Send = ReturnType<TRPCLink<ClientTypes>>;
type Operation = Parameters<Send>[0]['op'];

/** How long a client that could not refresh waits before it tries again. */
const PAUSE_MS = 60_000;

/**
 * Keeps what `session.refresh` returns. If it is automatic, it refreshes the session while it is used and past half of its life:
 * no call waits for that, and one tab does it for all that share the store; where tabs cannot agree, each gets the same new
 * session from the service.
 */
export function refreshLink(
  session: Session,
  { url, isAutomatic }: { url: string; isAutomatic: boolean },
): TRPCLink<ClientTypes> {
  let isRefreshing = false;
  let pausedUntilMs = 0;

  async function refresh(op: Operation, next: (op: Operation) => ReturnType<Send>): Promise<void> {
    const { held, token } = session;
    if (held === null || !session.isDue()) return;
    const { signIn } = session;
    const gatehouse = { isRepeatable: true, signIn, ...(token === null ? {} : { token }) };
    const renewed = await new Promise<KeptSession>((resolve, reject) => {
      const call = { ...op, type: 'mutation', path: 'session.refresh', input: undefined } as const;
      next({ ...call, context: { gatehouse }, signal: null }).subscribe({
        next({ result }) {
          resolve(sessionIn(result));
        },
        error: reject,
      });
    });
    session.renew(held, renewed);
  }

  async function alone(work: () => Promise<void>): Promise<void> {
    const locks = pageLocks();
    if (!locks) return work();
    await locks.request(`gatehouse.refresh ${url}`, { ifAvailable: true }, async (lock) => {
      if (lock !== null) await work();
    });
  }

  return () =>
    ({ op, next }) => {
      const { token, bearer, signIn } = callOptionsIn(op.context);
      const isOfSession = token === undefined && bearer === undefined;
      if (isOfSession && op.path === 'session.refresh') {
        const { held } = session;
        return observable((observer) =>
          next(op).subscribe({
            ...observer,
            next(value) {
              if (session.signIn === signIn) session.renew(held, sessionIn(value.result));
              observer.next(value);
            },
          }),
        );
      }
      const isNeeded = isAutomatic && isOfSession && !op.path.startsWith('session.end');
      if (isNeeded && !isRefreshing && Date.now() >= pausedUntilMs && session.isDue()) {
        isRefreshing = true;
        alone(() => refresh(op, next))
          .catch(() => undefined)
          .finally(() => {
            isRefreshing = false;
            pausedUntilMs = session.isDue() ? Date.now() + PAUSE_MS : 0;
          });
      }
      return observable((observer) => next(op).subscribe(observer));
    };
}

function sessionIn(result: object): KeptSession {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the service answers it; anything else has no `data.data`
  return (result as { data: { data: KeptSession } }).data.data;
}
