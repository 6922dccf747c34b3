import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { type SpawnedService, signInByPassword, type TestRequest } from '@gatehouse/testkit';

/** Callers of both services, of every kind, until they are stopped. */
export interface MixedLoad {
  /** Resolves to the number of answers by status; 0 is a broken connection. */
  stop(): Promise<Readonly<Record<number, number>>>;
}

type Place = Pick<SpawnedService, 'send'>;

/**
 * The pause between two calls of one caller: the load should last, not measure the capacity of the machine.
 */
const PAUSE_MS = 20;

/** Starts guarded calls through both transports, logins and logouts, registrations, refusals of every kind and webhooks. */
export function startMixedLoad(to: { main: Place; admin: Place; staffToken: string }): MixedLoad {
  const statuses: Record<number, number> = {};
  let isRunning = true;
  const counted = (place: Place): Place => ({
    send: async (path, request) => {
      const response = await place.send(path, request).catch(() => Response.error());
      statuses[response.status] = (statuses[response.status] ?? 0) + 1;
      return response;
    },
  });
  const main = counted(to.main);
  const admin = counted(to.admin);
  const read = async (place: Place, path: string, request?: TestRequest) => {
    await (await place.send(path, request)).arrayBuffer();
  };

  const callers: (() => Promise<void>)[] = [
    async () => {
      const { token, accountId } = await signInByPassword(main, 'manager@acme.test');
      const as = { token, accountId: accountId ?? undefined };
      for (let call = 0; call < 20; call += 1) {
        await read(main, '/auth/me', as);
        await read(main, '/getAllMemberslist?limit=50', as);
        await read(main, '/trpc/session.me,member.list?batch=1&input=%7B%221%22%3A%7B%7D%7D', as);
        await pause(PAUSE_MS);
      }
      await read(main, '/auth/logout', { method: 'POST', token });
    },
    async () => {
      const as = { token: to.staffToken };
      await read(admin, '/getAccountsList', as);
      await read(admin, '/getAllOwnerList', as);
      await read(admin, '/trpc/session.me', as);
    },
    async () => {
      const username = `soak-${randomBytes(6).toString('hex')}`;
      const body = { username, password: randomBytes(9).toString('hex'), email: `${username}@many.test` };
      await read(main, '/register', { body });
      await pause(1_000);
    },
    async () => {
      await read(main, '/auth/me', { token: randomBytes(40).toString('base64url') });
      await read(main, '/webauthenticate', { body: { email: 7 } });
      await read(main, '/nowhere');
      await read(admin, '/getAccountsList');
    },
    async () => {
      await read(main, '/stripe_webhooks', { body: { id: randomBytes(8).toString('hex') } });
      await pause(200);
    },
    async () => {
      await read(main, '/forgotPassword', { body: { email: `${randomBytes(4).toString('hex')}@many.test` } });
      await pause(1_000);
    },
  ];
  const running = callers.map(async (call) => {
    while (isRunning) {
      // The statuses already show failures.
      await call().catch(() => undefined);
      await pause(PAUSE_MS);
    }
  });
  return {
    async stop() {
      isRunning = false;
      await Promise.all(running);
      return statuses;
    },
  };
}
