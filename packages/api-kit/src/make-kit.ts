import { availableParallelism } from 'node:os';
import { createDataCipher, createRoles, createTokenKeys } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db';
import { createAccessDirectory } from './access/directory.js';
import type { KitConfig } from './config.js';
import { createWakeups } from './jobs/wakeups.js';
import type { Kit } from './kit.js';
import { createDatabaseLimits } from './limits/database-limits.js';
import type { LimitStore } from './limits/limit-store.js';
import { limitsWhenLoaded } from './limits/limits-when-loaded.js';
import type { Logger } from './log.js';
import type { ApplicationType } from './login/application.js';
import { createPasswordHasher } from './login/password-hasher.js';
import { createMailDriver } from './mail/create-mail-driver.js';
import { createRosters } from './member/rosters.js';
import { addFigures } from './metrics/add-figures.js';
import { countedLimits } from './metrics/counted-limits.js';
import { countedLog } from './metrics/counted-log.js';
import { createMetrics } from './metrics/create-metrics.js';
import { createSessionActivity } from './session/activity.js';
import { createTokenDoor } from './token-door.js';
import { tracedPasswords } from './tracing/traced-passwords.js';
import type { Tracing } from './tracing/tracing.js';

export interface KitOptions {
  config: KitConfig;
  db: Database;
  log: Logger;
  application: ApplicationType;
  /** The current time in epoch milliseconds. */
  now?: () => number;
  /** Where traces go, opened before the database so that its statements are in them. */
  tracing?: Tracing | undefined;
}

/** Puts together what both deployments share. The caller closes the database, `activity`, `limits` and `tracing`. */
export function makeKit({ config, db, log, application, now = Date.now, tracing }: KitOptions): Kit {
  const metrics = createMetrics();
  const passwords = createPasswordHasher({
    concurrency: config.PASSWORD_HASH_CONCURRENCY ?? availableParallelism(),
    queueLimit: config.PASSWORD_HASH_QUEUE,
    longestWaitMs: config.PASSWORD_HASH_WAIT_MS,
    onHashed: metrics.observeHash,
  });
  const rosters = createRosters(db);
  const kit: Kit = {
    deployment: { application },
    config,
    db,
    log: countedLog(log, metrics),
    now,
    ...(tracing ? { tracing } : {}),
    roles: createRoles({
      designer: config.DESIGNER,
      userMember: config.USER_MEMBER,
      accountManager: config.ACCOUNT_MANAGER,
    }),
    access: createAccessDirectory(db, {
      timeoutMs: config.DATABASE_TIMEOUT_MS,
      onChange({ atMs, memberId }) {
        metrics.observeRevocationLag(Math.max(0, now() - atMs) / 1000);
        if (memberId !== null) rosters.noteChange(memberId);
      },
      onLost: rosters.forgetAll,
    }),
    rosters,
    tokens: createTokenDoor({
      keys: createTokenKeys({ secret: config.JWT_SECRET_KEY, previous: previousKey(config) }),
      headerName: config.TOKEN_HEADER_KEY,
      partnerIssuer: config.PARTNER_TOKEN_ISSUER,
      sessionTtlSeconds: config.JWT_EXPIRES_IN,
      now,
    }),
    passwords: tracing ? tracedPasswords(passwords, tracing) : passwords,
    activity: createSessionActivity(db, { now, log }),
    limits: countedLimits(
      config.REDIS_URL === undefined
        ? createDatabaseLimits(db, now)
        : limitsWhenLoaded(openRedisLimits(config.REDIS_URL, log)),
      metrics,
    ),
    metrics,
    wakeups: createWakeups(),
    mail: createMailDriver(config),
    cipher: createDataCipher({
      key: config.DATA_ENCRYPTION_KEY,
      previous: config.DATA_ENCRYPTION_KEY_PREVIOUS,
    }),
  };
  addFigures(metrics, kit);
  return kit;
}

function previousKey(config: KitConfig): { secret: string; untilMs: number } | undefined {
  const { JWT_SECRET_KEY_PREVIOUS: secret, JWT_SECRET_KEY_PREVIOUS_UNTIL: untilMs } = config;
  return secret !== undefined && untilMs !== undefined ? { secret, untilMs } : undefined;
}

async function openRedisLimits(url: string, log: Logger): Promise<LimitStore> {
  const { createRedisLimits } = await import('./limits/redis-limits.js');
  return createRedisLimits(url, log);
}
