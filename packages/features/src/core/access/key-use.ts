import { AppError } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { isOutage } from '@gatehouse/db/database-errors';
import { touchApplicationSecrets } from '@gatehouse/db/queries/applications';
import { touchConsents } from '@gatehouse/db/queries/consents';
import { touchApiKeys } from '@gatehouse/db/queries/machines';
import { touchScimTokens } from '@gatehouse/db/queries/scim-tokens';
import type { AgentFacts, KeyFacts, MachineTokenFacts } from '@gatehouse/http/server/http-call';
import type { LimitStore } from '@gatehouse/runtime/limits/limit-store';
import type { Logger } from '@gatehouse/runtime/log/log';

/** How programs use their API keys and applications their secrets, and how often agents and applications ask. */
export interface KeyUse {
  /**
   * Counts a call with a key, without waiting for anything.
   * @throws {AppError} `rate_limited` above the calls that the key may make in a minute
   */
  count(key: KeyFacts): void;
  /**
   * Counts a call of an agent in the same way.
   * @param holder what it calls with
   * @throws {AppError} `rate_limited` above the calls that an agent may make in a minute
   */
  countAgent(holder: string): void;
  /**
   * The same for a call with an access token of an application, however often the token is renewed: calls are counted by its
   * grant, or by the application if it calls as its machine.
   */
  countToken(token: AgentFacts | MachineTokenFacts): void;
  /**
   * Counts an introspection in the same way.
   * @param asker the application that asks
   * @returns the refusal, `rate_limited`, above the introspections that an application may ask for in a minute
   */
  countIntrospection(asker: string): AppError | undefined;
  /**
   * Counts a call of a directory with its token in the same way.
   * @throws {AppError} `rate_limited` above the calls that a token may make in a minute
   */
  countDirectory(tokenId: number): void;
  /** Records that an application authenticated with a secret. */
  noteSecret(secretId: number): void;
  /** Records that an API let an application in by a consent. */
  noteConsent(consentId: number): void;
  /** Settles the counts with the other nodes, and writes when keys, secrets and consents were last used. */
  flush(): Promise<void>;
  close(): Promise<void>;
}

/** What this node knows of the calls with one key in the current minute. */
interface Minute {
  readonly number: number;
  /** Calls here. */
  own: number;
  /** Calls here that the other nodes do not know of. */
  unsettled: number;
  /** The others are notified of at least this many. */
  readonly settledFrom: number;
  /** Calls at the other nodes, as of the last settlement. */
  elsewhere: number;
}

/** Calls of an agent in a minute, with one key or session. */
const AGENT_CALLS_PER_MINUTE = 120;

/** Calls of an application as its machine in a minute. */
const MACHINE_CALLS_PER_MINUTE = 600;

/** Calls of a directory in a minute, with one token. */
const DIRECTORY_CALLS_PER_MINUTE = 1_200;

/** Introspections by an application in a minute. */
const INTROSPECTIONS_PER_MINUTE = 6_000;

/** At most this many more calls of each node than the limit do no harm, and each settlement is a write. */
const INTROSPECTIONS_SETTLED_FROM = 300;

const MINUTE_MS = 60_000;
const SETTLE_MS = 1_000;

/** Counts calls here, and settles the counts with the shared store each second. */
export function createKeyUse(
  db: Database,
  { limits, now, log }: { limits: Pick<LimitStore, 'add'>; now: () => number; log: Logger },
): KeyUse {
  /** Minutes by the name of what is counted. */
  const minutes = new Map<string, Minute>();
  const uses = [
    { used: new Set<number>(), touch: touchApiKeys },
    { used: new Set<number>(), touch: touchApplicationSecrets },
    { used: new Set<number>(), touch: touchConsents },
    { used: new Set<number>(), touch: touchScimTokens },
  ] as const;
  const [keys, secrets, consents, directories] = uses;
  let writtenAtMs = now();

  let settled = Promise.resolve();

  /** One settlement after the other, so that none is still running when a later one has ended. */
  function settle(least?: number): Promise<void> {
    const run = () => settleNow(least);
    settled = settled.then(run, run);
    return settled;
  }

  async function settleNow(least?: number): Promise<void> {
    const number = Math.floor(now() / MINUTE_MS);
    const failures: unknown[] = [];
    for (const [name, minute] of minutes) {
      if (minute.number !== number) minutes.delete(name);
      else if (minute.unsettled >= (least ?? minute.settledFrom))
        await settleMinute(name, minute).catch((error: unknown) => failures.push(error));
    }
    if (failures.length > 0) throw failures[0];
  }

  /** Calls that cannot be added now are added by a later settlement. The counts of other nodes stay until then. */
  async function settleMinute(name: string, minute: Minute): Promise<void> {
    const { number, own, unsettled } = minute;
    const counter = { key: `${name}:${number}`, windowMs: 2 * MINUTE_MS };
    const total = await limits.add(counter, unsettled);
    if (total === undefined) return;
    minute.unsettled -= unsettled;
    minute.elsewhere = Math.max(0, total - own);
  }

  async function writeUses(): Promise<void> {
    for (const { used, touch } of uses) {
      if (used.size === 0) continue;
      const ids = [...used];
      used.clear();
      writtenAtMs = now();
      try {
        await touch(db, ids, now());
      } catch (error) {
        for (const id of ids) used.add(id);
        throw error;
      }
    }
  }

  let isRunning = false;

  async function runDue(): Promise<void> {
    if (isRunning) return;
    isRunning = true;
    const isDue = now() >= writtenAtMs + MINUTE_MS;
    const outcomes = await Promise.allSettled([settle(), isDue ? writeUses() : undefined]);
    isRunning = false;
    for (const outcome of outcomes)
      if (outcome.status === 'rejected' && !isOutage(outcome.reason))
        log.failure('use of API keys', outcome.reason);
  }

  const timer = setInterval(() => void runDue(), SETTLE_MS);
  timer.unref();

  async function flush(): Promise<void> {
    try {
      await settle(1);
    } finally {
      await writeUses();
    }
  }

  /** Counts once. Returns the refusal instead if the limit is reached. */
  function countIn(
    name: string,
    { policy, perMinute, settledFrom = 1 }: { policy: string; perMinute: number; settledFrom?: number },
  ): AppError | undefined {
    const nowMs = now();
    const number = Math.floor(nowMs / MINUTE_MS);
    const known = minutes.get(name);
    const minute =
      known?.number === number ? known : { number, own: 0, unsettled: 0, settledFrom, elsewhere: 0 };
    minutes.set(name, minute);
    if (minute.own + minute.elsewhere >= perMinute)
      return new AppError('rate_limited', {
        retryAfterSeconds: Math.ceil(((number + 1) * MINUTE_MS - nowMs) / 1000),
        policy: { name: policy, quota: perMinute, windowSeconds: MINUTE_MS / 1000 },
      });
    minute.own += 1;
    minute.unsettled += 1;
    return undefined;
  }

  function countAgent(holder: string): void {
    const refusal = countIn(`agent:${holder}`, { policy: 'agent', perMinute: AGENT_CALLS_PER_MINUTE });
    if (refusal) throw refusal;
  }

  return {
    count({ id, perMinute }) {
      const refusal = countIn(`api-key:${id}`, { policy: 'api-key', perMinute });
      if (refusal) throw refusal;
      keys.used.add(id);
    },
    countAgent,
    countToken(token) {
      if (token.actsAs === 'machine') {
        const limit = { policy: 'machine', perMinute: MACHINE_CALLS_PER_MINUTE };
        const refusal = countIn(`machine-of:${token.applicationId}`, limit);
        if (refusal) throw refusal;
        return;
      }
      countAgent(token.grantDigest);
      consents.used.add(token.consentId);
    },
    countDirectory(tokenId) {
      const limit = { policy: 'scim', perMinute: DIRECTORY_CALLS_PER_MINUTE };
      const refusal = countIn(`scim:${tokenId}`, limit);
      if (refusal) throw refusal;
      directories.used.add(tokenId);
    },
    countIntrospection(asker) {
      return countIn(`introspection:${asker}`, {
        policy: 'introspection',
        perMinute: INTROSPECTIONS_PER_MINUTE,
        settledFrom: INTROSPECTIONS_SETTLED_FROM,
      });
    },
    noteSecret: (secretId) => void secrets.used.add(secretId),
    noteConsent: (consentId) => void consents.used.add(consentId),
    flush,
    async close() {
      clearInterval(timer);
      await flush().catch(() => undefined);
    },
  };
}
