import { setTimeout as pause } from 'node:timers/promises';
import { sendRequest, signInByPassword } from '@gatehouse/testkit';

/** Visitors who sign in, read and sign out again, until they are stopped. */
export interface Visits {
  /** Resolves when this many more visits have ended. */
  more(count: number): Promise<void>;
  stop(): Promise<VisitsReport>;
}

export interface VisitsReport {
  readonly visits: number;
  /** Answers by status; 0 is a broken connection. */
  readonly statuses: Readonly<Record<number, number>>;
}

/** Sends visitors to an address, each over kept-alive connections. */
export function startVisits(url: string, visitors: number): Visits {
  const statuses: Record<number, number> = {};
  let visits = 0;
  let isRunning = true;

  const send: typeof sendRequest = async (path, request) => {
    const response = await sendRequest(`${url}${path}`, request).catch(() => Response.error());
    statuses[response.status] = (statuses[response.status] ?? 0) + 1;
    return response;
  };
  const visit = async (): Promise<void> => {
    const { token, accountId } = await signInByPassword({ send }, 'owner@cedar.test');
    await send('/auth/me', { token, accountId: accountId ?? undefined });
    await send('/getAllMemberslist', { token, accountId: accountId ?? undefined });
    await send('/trpc/session.me', { token });
    await send('/auth/logout', { method: 'POST', token });
  };
  const running = Array.from({ length: visitors }, async () => {
    while (isRunning) {
      // The statuses already show failures.
      await visit().catch(() => pause(50));
      visits += 1;
    }
  });
  return {
    async more(count) {
      const until = visits + count;
      while (visits < until) await pause(10);
    },
    async stop() {
      isRunning = false;
      await Promise.all(running);
      return { visits, statuses };
    },
  };
}
