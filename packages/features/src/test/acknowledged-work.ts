import { randomBytes } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { createTokenKeys, sealToken } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { insertTestMember, type SpawnedService, testConfig } from '@gatehouse/testkit';
import { z } from 'zod';

/** What services have acknowledged, and their answers, while something happens to their database. */
export interface AcknowledgedWork {
  /** Tokens whose logout was answered with 200. */
  readonly endedTokens: readonly string[];
  /** Usernames whose registration was answered with 200. */
  readonly usernames: readonly string[];
  /** One-use tokens that opened a session. */
  readonly redeemed: number;
  /** One-use tokens that opened two sessions. */
  readonly usedTwice: number;
  /** Calls that were allowed although they began after the logout of their token was answered with 200. */
  readonly tooLate: number;
  /** Answers by status; 0 is a broken connection. */
  readonly statuses: Readonly<Record<number, number>>;
  /** Answers of 503 without `Retry-After`. */
  readonly withoutRetryAfter: number;
  /** Resolves when this much more has been acknowledged. */
  more(count: number): Promise<void>;
  /** Stops the work; resolves after the last answer. */
  stop(): Promise<void>;
}

const tokenAnswer = z.object({ token: z.string() });
const WORKERS = 6;

/** Signs in, out and up at all services at once, with members created through `db`, until it is stopped. */
export function startAcknowledgedWork(
  services: readonly Pick<SpawnedService, 'send'>[],
  db: Database,
): AcknowledgedWork {
  const keys = createTokenKeys({ secret: testConfig().JWT_SECRET_KEY });
  const endedTokens: string[] = [];
  const usernames: string[] = [];
  const statuses: Record<number, number> = {};
  const counts = { redeemed: 0, usedTwice: 0, tooLate: 0, withoutRetryAfter: 0 };
  let isRunning = true;

  const at = (turn: number): Pick<SpawnedService, 'send'> => {
    const service = services[turn % services.length];
    if (service === undefined) throw new Error('there is no service to ask');
    return service;
  };
  const ask = async (turn: number, ...request: Parameters<SpawnedService['send']>) => {
    const answer = await at(turn)
      .send(...request)
      .then(async (response) => ({
        status: response.status,
        retryAfter: response.headers.get('retry-after'),
        body: await response.text(),
      }))
      .catch(() => ({ status: 0, retryAfter: null, body: '' }));
    statuses[answer.status] = (statuses[answer.status] ?? 0) + 1;
    if (answer.status === 503 && answer.retryAfter === null) counts.withoutRetryAfter += 1;
    if (answer.status === 503) await pause(50);
    return answer;
  };

  async function redeemEverywhere(turn: number): Promise<string | undefined> {
    const { id } = await insertTestMember(db, { memberships: { 3: 2 } });
    const options = { nowMs: Date.now(), ttlSeconds: 600 };
    const { token } = sealToken(keys, { type: 'socialLogin', userId: id, provider: 'google' }, options);
    const body = { tempLogin: true, token };
    const answers = await Promise.all(
      services.map((_, step) => ask(turn + step, '/webauthenticate', { body })),
    );
    const again = await ask(turn, '/webauthenticate', { body });
    const opened = [...answers, again].filter(({ status }) => status === 200);
    if (opened.length > 0) counts.redeemed += 1;
    if (opened.length > 1) counts.usedTwice += 1;
    const [first] = opened;
    return first && tokenAnswer.parse(JSON.parse(first.body)).token;
  }

  async function signOut(turn: number, token: string): Promise<void> {
    const ended = await ask(turn, '/auth/logout', { method: 'POST', token });
    if (ended.status !== 200) return;
    endedTokens.push(token);
    const after = await Promise.all(services.map((_, step) => ask(turn + step, '/auth/me', { token })));
    counts.tooLate += after.filter(({ status }) => status === 200).length;
  }

  async function register(turn: number): Promise<void> {
    const username = `cluster-${randomBytes(6).toString('hex')}`;
    const password = randomBytes(9).toString('hex');
    const body = { username, password, email: `${username}@many.test` };
    const { status } = await ask(turn, '/register', { body });
    if (status === 200) usernames.push(username);
  }

  const workers = Array.from({ length: WORKERS }, async (_, worker) => {
    for (let turn = worker; isRunning; turn += 1) {
      const token = await redeemEverywhere(turn).catch(() => undefined);
      if (token !== undefined) await signOut(turn + 1, token);
      if (worker === 0) await register(turn);
    }
  });

  const done = (): number => endedTokens.length + usernames.length;
  return {
    endedTokens,
    usernames,
    statuses,
    get redeemed() {
      return counts.redeemed;
    },
    get usedTwice() {
      return counts.usedTwice;
    },
    get tooLate() {
      return counts.tooLate;
    },
    get withoutRetryAfter() {
      return counts.withoutRetryAfter;
    },
    async more(count) {
      const until = done() + count;
      while (done() < until) await pause(20);
    },
    async stop() {
      isRunning = false;
      await Promise.all(workers);
    },
  };
}
