import { hostname } from 'node:os';
import { createDataCipher, createRoles, createTokenKeys, randomId } from '@gatehouse/auth-core';
import type { Database, Dialect } from '@gatehouse/db/database';
import { createSessionCookies } from '@gatehouse/http/server/session-cookies';
import { readRelyingParty } from '@gatehouse/runtime/config/relying-party';
import { createWakeups } from '@gatehouse/runtime/jobs/job-runner';
import type { LimitStore } from '@gatehouse/runtime/limits/limit-store';
import { createDatabaseLimits } from '@gatehouse/runtime/limits/limit-store';
import { limitsWhenLoaded } from '@gatehouse/runtime/limits/limits-when-loaded';
import type { Logger } from '@gatehouse/runtime/log/log';
import { createMailDriver } from '@gatehouse/runtime/mail/create-mail-driver';
import { countedLimits, countedLog, createMetrics } from '@gatehouse/runtime/metrics/create-metrics';
import { createGuardedClient } from '@gatehouse/runtime/network/guarded-client';
import { createTxtResolver } from '@gatehouse/runtime/network/txt-resolver';
import { createPasswordHasher, tracedPasswords } from '@gatehouse/runtime/passwords/password-hasher';
import { runHashJob } from '@gatehouse/runtime/passwords/run-hash-job';
import { type BoundedQueue, createBoundedQueue } from '@gatehouse/runtime/queues/create-bounded-queue';
import type { Tracing } from '@gatehouse/runtime/tracing/tracing';
import { recordActingIn } from '../audit/record-audit.js';
import { createLegacySignIn } from '../authentication/create-legacy-sign-in.js';
import { createBilling } from '../billing/create-billing.js';
import { createAccessDirectory } from '../core/access/access-directory.js';
import { createKeyUse } from '../core/access/key-use.js';
import { readInterval } from '../core/access/read-index.js';
import { createSessionActivity } from '../core/access/session-activity.js';
import { createSigningKeys } from '../core/access/signing-keys.js';
import { createTokenService } from '../core/access/token-service.js';
import type { Config } from '../core/config.js';
import type { ApplicationType, Services } from '../core/context.js';
import { providerSignOutUrl } from '../sso/provider-sign-out.js';
import { hashesAtOnce } from './hashes-at-once.js';
import { registerMetrics } from './register-metrics.js';

/** A node runs two analyses at once and refuses others. */
function createAnalysisQueue(): BoundedQueue {
  return createBoundedQueue({
    concurrency: 2,
    queueLimit: 0,
    longestWaitMs: 0,
    fullBecause: 'all analysis slots are taken',
    retryAfterSeconds: 10,
  });
}

/**
 * Searches share a bounded part of a node. The embedded database reads in this process: one search at a time keeps the
 * pauses between others' requests as long as one of its statements.
 */
function createSearchQueue(dialect: Dialect): BoundedQueue {
  return createBoundedQueue({
    concurrency: dialect === 'libsql' ? 1 : 4,
    queueLimit: 200,
    longestWaitMs: 2_000,
    fullBecause: 'too many searches wait',
    retryAfterSeconds: 2,
  });
}

export interface ServicesOptions {
  config: Config;
  db: Database;
  log: Logger;
  application: ApplicationType;
  /** The current time in epoch milliseconds. */
  now?: () => number;
  /** The tracer, opened before the database so that its statements are traced. */
  tracing?: Tracing | undefined;
}

/** Makes the services of both deployments. The caller closes the database, `activity`, `limits` and `tracing`. */
export function createServices({
  config,
  db,
  log,
  application,
  now = Date.now,
  tracing,
}: ServicesOptions): Services {
  const metrics = createMetrics();
  const passwords = createPasswordHasher({
    concurrency: hashesAtOnce(config),
    queueLimit: config.PASSWORD_HASH_QUEUE,
    longestWaitMs: config.PASSWORD_HASH_WAIT_MS,
    runHashJob,
    onHashed: metrics.observeHash,
  });
  const cipher = createDataCipher({
    key: config.DATA_ENCRYPTION_KEY,
    previous: config.DATA_ENCRYPTION_KEY_PREVIOUS,
  });
  const limits = countedLimits(
    config.REDIS_URL === undefined
      ? createDatabaseLimits(db, now)
      : limitsWhenLoaded(openRedisLimits(config.REDIS_URL, log)),
    metrics,
  );
  const outbound = createGuardedClient({
    isProduction: config.NODE_ENV === 'production',
    privateNetworks: config.EVENTS_PRIVATE_NETWORKS,
  });
  const counted = countedLog(log, metrics);
  const services: Services = {
    deployment: { application, node: `${hostname().slice(0, 64)}:${process.pid}:${randomId(4)}` },
    config,
    db,
    log: counted,
    now,
    stopping: new AbortController(),
    ...(tracing ? { tracing } : {}),
    roles: createRoles(
      {
        designer: config.DESIGNER,
        userMember: config.USER_MEMBER,
        accountManager: config.ACCOUNT_MANAGER,
      },
      config.PRODUCT_PERMISSIONS,
    ),
    access: createAccessDirectory(db, {
      now,
      timeoutMs: config.DATABASE_TIMEOUT_MS,
      onChange({ atMs }) {
        metrics.observeRevocationLag(Math.max(0, now() - atMs) / 1000);
      },
    }),
    tokens: createTokenService({
      keys: createTokenKeys({ secret: config.JWT_SECRET_KEY, previous: previousKey(config) }),
      headerName: config.TOKEN_HEADER_KEY,
      partnerIssuer: config.PARTNER_TOKEN_ISSUER,
      sessionTtlSeconds: config.JWT_EXPIRES_IN,
      takesImpersonations: application !== 'admin',
      now,
    }),
    cookies: createSessionCookies(config, application),
    passwords: tracing ? tracedPasswords(passwords, tracing) : passwords,
    activity: createSessionActivity(db, { now, log, everyMs: activityInterval(config) }),
    keyUse: createKeyUse(db, { limits, now, log }),
    limits,
    metrics,
    billing: createBilling({ config, db, now }),
    analyses: createAnalysisQueue(),
    searches: createSearchQueue(db.dialect),
    wakeups: createWakeups(),
    mail: createMailDriver(config),
    outbound,
    resolveTxt: createTxtResolver(config.DNS_SERVERS),
    providerSignOut: (login) => providerSignOutUrl({ cipher, config, db, now }, login),
    legacy: createLegacySignIn({ config, db, log: counted, metrics, now, outbound, application }),
    relyingParty: readRelyingParty(config),
    servesPortal: false,
    cipher,
    signingKeys: createSigningKeys({ db, cipher, now }),
    recordActing: recordActingIn({ db, cipher, now }),
  };
  services.access.spaceReads(readInterval(db.dialect, 1, config.ACCESS_READ_INTERVAL_MS));
  registerMetrics(metrics, services);
  return services;
}

/** Uses of sessions are written several times before one would end for not being used. */
function activityInterval({ SESSION_IDLE = 240, STAFF_SESSION_IDLE = 240 }: Config): number {
  return Math.min(60, SESSION_IDLE / 4, STAFF_SESSION_IDLE / 4) * 1000;
}

function previousKey(config: Config): { secret: string; untilMs: number } | undefined {
  const { JWT_SECRET_KEY_PREVIOUS: secret, JWT_SECRET_KEY_PREVIOUS_UNTIL: untilMs } = config;
  return secret !== undefined && untilMs !== undefined ? { secret, untilMs } : undefined;
}

async function openRedisLimits(url: string, log: Logger): Promise<LimitStore> {
  const { createRedisLimits } = await import('@gatehouse/runtime/limits/redis-limits');
  return createRedisLimits(url, log);
}
