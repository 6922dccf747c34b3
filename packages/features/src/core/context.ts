import type { DataCipher, Roles } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import type { SsoLogin } from '@gatehouse/db/queries/sso-logins';
import type { ActingFacts, Call } from '@gatehouse/http/server/http-call';
import type { RequestContext } from '@gatehouse/http/server/request-context';
import type { SessionCookies } from '@gatehouse/http/server/session-cookies';
import type { ProcedureMeta } from '@gatehouse/http/trpc/procedure-rule';
import { toTrpcRefusal } from '@gatehouse/http/trpc/trpc-refusal';
import type { RelyingParty } from '@gatehouse/runtime/config/relying-party';
import type { Wakeups } from '@gatehouse/runtime/jobs/job-runner';
import type { LimitStore } from '@gatehouse/runtime/limits/limit-store';
import type { Logger } from '@gatehouse/runtime/log/log';
import type { MailDriver } from '@gatehouse/runtime/mail/mail-driver';
import type { Metrics } from '@gatehouse/runtime/metrics/create-metrics';
import type { GuardedClient } from '@gatehouse/runtime/network/guarded-client';
import type { TxtResolver } from '@gatehouse/runtime/network/txt-resolver';
import type { PasswordHasher } from '@gatehouse/runtime/passwords/password-hasher';
import type { BoundedQueue } from '@gatehouse/runtime/queues/create-bounded-queue';
import type { Tracing } from '@gatehouse/runtime/tracing/tracing';
import { initTRPC } from '@trpc/server';
import type { AccessDirectory } from './access/access-directory.js';
import type { KeyUse } from './access/key-use.js';
import type { SessionActivity } from './access/session-activity.js';
import type { SigningKeys } from './access/signing-keys.js';
import type { TokenService } from './access/token-service.js';
import type { Billing } from './billing/billing.js';
import type { Config } from './config.js';
import type { LegacySignIn } from './legacy-sign-in.js';

/** Records one call in which somebody acts for a member, `path`; it is durable once the promise resolves. */
type RecordActing = (call: Call, acting: ActingFacts, path: string) => Promise<void>;

/** The services of both deployments: created once in `main.ts`, passed to every call, never global. */
export interface Services {
  readonly deployment: {
    /** The default application of a login. */
    readonly application: ApplicationType;
    /** This process, among all that run. */
    readonly node: string;
  };
  readonly config: Config;
  readonly db: Database;
  readonly log: Logger;
  /** The current time in epoch milliseconds. */
  readonly now: () => number;
  readonly roles: Roles;
  readonly access: AccessDirectory;
  readonly tokens: TokenService;
  /** Sessions that browsers keep in a cookie. */
  readonly cookies: SessionCookies;
  readonly passwords: PasswordHasher;
  readonly activity: SessionActivity;
  /** Counts the calls with API keys. */
  readonly keyUse: KeyUse;
  /** Runs analyses of staff. */
  readonly analyses: BoundedQueue;
  /** Runs searches that no index helps. */
  readonly searches: BoundedQueue;
  /** Aborted when the service begins to stop: calls that wait for something answer then. */
  readonly stopping: AbortController;
  /** Counts of attempts and calls, shared by all nodes. */
  readonly limits: LimitStore;
  /** Wakes a job of this node before its next turn. */
  readonly wakeups: Wakeups;
  /** Encrypts data that must be readable again: partner secrets, provider tokens, mail bodies. */
  readonly cipher: DataCipher;
  /** The relying party whose passkeys are accepted; undefined if passkeys are unavailable. */
  readonly relyingParty: RelyingParty | undefined;
  /** Whether there is a portal to which pages without scripts can lead. */
  readonly servesPortal: boolean;
  /** Writes the line of the audit log about a call that staff make for a member. */
  readonly recordActing: RecordActing;
  /** The keys that sign tokens for other APIs. */
  readonly signingKeys: SigningKeys;
  /** The metrics of `GET /metrics`. */
  readonly metrics: Metrics;
  /** The destination of traces; absent unless configured. */
  readonly tracing?: Tracing;
  /** The mail driver, for the delivery job only. Procedures write mails with `queueMail`. */
  readonly mail: MailDriver;
  /** Calls addresses that people enter. */
  readonly outbound: GuardedClient;
  /** Asks name servers for the records that prove domains. */
  readonly resolveTxt: TxtResolver;
  /** Where the browser signs out of the identity provider at which a session began; undefined if that is not known. */
  readonly providerSignOut: (login: SsoLogin) => Promise<string | undefined>;
  /** The system that is asked about members who have no password here yet; absent unless configured. */
  readonly legacy?: LegacySignIn | undefined;
  /** Payment providers and their webhooks. */
  readonly billing: Billing;
}

/** The context of every procedure. Guards add `caller`, `account` and similar fields. */
export interface Context extends RequestContext {
  readonly services: Services;
}

/** The root of both routers. */
export const t = initTRPC
  .context<Context>()
  .meta<ProcedureMeta>()
  .create({ isDev: false, errorFormatter: toTrpcRefusal });

/** The applications a login may be for. */
export type ApplicationType = 'web' | 'mobile' | 'designer' | 'admin';
