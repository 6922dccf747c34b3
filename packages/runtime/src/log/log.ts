import { AppError } from '@gatehouse/auth-core';
import { CommitUnknownError } from '@gatehouse/db/database-errors';
import { pino } from 'pino';
import { joinLines } from './join-lines.js';

/** One finished request. Paths are route patterns, because URLs may contain one-use tokens. */
export interface RequestLine {
  requestId: string;
  transport: 'rest' | 'trpc';
  method: string;
  route: string;
  status: number;
  durationMs: number;
  address: string;
  memberId?: number | undefined;
  accountId?: number | undefined;
}

/** Every event of the security log. docs/security-events.md explains them. */
export const SECURITY_EVENTS = [
  'login.ok',
  'login.failed',
  'login.limited',
  'login.locked',
  'login.step',
  'login.many-networks',
  'login.spraying',
  'token.issued',
  'token.revoked',
  'member.registered',
  'address.confirmed',
  'factor.changed',
  'password.changed',
  'password.reset',
  'access.denied',
  'admin.change',
  'webhook.rejected',
] as const;

export type SecurityEventName = (typeof SECURITY_EVENTS)[number];

/** The actor, the subject and the action. No field can contain a secret. */
export interface SecurityEvent {
  event: SecurityEventName;
  requestId: string;
  address: string;
  actorId?: number | undefined;
  memberId?: number | undefined;
  accountId?: number | undefined;
  partnerId?: number | undefined;
  /** A code from our own catalogs, never the caller's text. */
  reason?: string | undefined;
}

export interface NoticeFields {
  version?: string;
  service?: string;
  url?: string;
  signal?: string;
  count?: number;
  durationMs?: number;
  job?: string;
  /** The id of the row concerned. */
  id?: number;
  /** How it ended, in one of our words. */
  outcome?: string;
  /** The origin that is not allowed, in development only. */
  origin?: string;
  /** The variable that allows it. */
  variable?: string;
}

export interface WarningFields {
  /** The problem and its solution. */
  detail: string;
  /** How often it happened since the last such line. */
  count?: number;
  reason?: string;
}

export interface Logger {
  request(line: RequestLine): void;
  security(event: SecurityEvent): void;
  notice(event: string, fields?: NoticeFields): void;
  /** A problem for an operator to fix, with our sentence that says how. */
  warning(event: string, fields: WarningFields): void;
  /**
   * Logs a failure once; `commit.unknown` when a write may or may not have happened. Messages of foreign errors
   * may quote input, so only our own are written.
   */
  failure(where: string, error: unknown, requestId?: string): void;
}

export type LogLevel = 'debug' | 'info' | 'warn' | 'error' | 'silent';

/** The destination of finished lines; standard output except in tests. */
export interface LogDestination {
  write(line: string): void;
}

/** Routes of balancers and of Prometheus, several requests a second: their lines are only for `debug`. */
export const PROBES: ReadonlySet<string> = new Set(['/healthz', '/readyz', '/metrics']);

/**
 * JSON lines. Every field comes from a fixed list, so a secret cannot be logged by accident. On standard output the lines of
 * requests that end in one turn of the event loop are written together; every other line is written at once. The level never
 * leaves a security event out.
 */
export function createLogger(options: {
  service: string;
  level: LogLevel;
  destination?: LogDestination;
}): Logger {
  const settings = {
    level: options.level,
    base: { service: options.service },
    timestamp: pino.stdTimeFunctions.isoTime,
  };
  const output = outputTo(options.destination);
  const lines = pino(settings, output);
  const securityLines = pino({ ...settings, level: 'info' }, output);
  return {
    request(line) {
      lines[PROBES.has(line.route) ? 'debug' : 'info']({
        event: 'request',
        requestId: line.requestId,
        door: line.transport,
        method: line.method,
        route: line.route,
        status: line.status,
        durationMs: line.durationMs,
        address: line.address,
        memberId: line.memberId,
        accountId: line.accountId,
      });
    },
    security(entry) {
      securityLines.info({
        event: entry.event,
        requestId: entry.requestId,
        address: entry.address,
        actorId: entry.actorId,
        memberId: entry.memberId,
        accountId: entry.accountId,
        partnerId: entry.partnerId,
        reason: entry.reason,
      });
      output.flush();
    },
    notice(event, fields = {}) {
      lines.info({
        event,
        url: fields.url,
        signal: fields.signal,
        count: fields.count,
        durationMs: fields.durationMs,
        job: fields.job,
        id: fields.id,
        outcome: fields.outcome,
        origin: fields.origin,
        variable: fields.variable,
      });
      output.flush();
    },
    warning(event, { detail, count, reason }) {
      lines.warn({ event, reason, count, detail });
      output.flush();
    },
    failure(where, error, requestId) {
      const event = isCommitUnknown(error) ? 'commit.unknown' : 'failure';
      lines.error({ event, where, requestId, ...describeFailure(error) });
      output.flush();
    },
  };
}

/** Standard output gets all lines of a turn together, to save a system call for each. */
function outputTo(destination: LogDestination | undefined): LogDestination & { flush(): void } {
  if (destination !== undefined) return { write: (line) => destination.write(line), flush: () => undefined };
  const standardOutput = pino.destination({ dest: process.stdout.fd, sync: true });
  const joined = joinLines((lines) => standardOutput.write(lines));
  process.once('exit', joined.flush);
  return joined;
}

/** Whether a line of it is `commit.unknown`. */
export function isCommitUnknown(error: unknown): boolean {
  if (error instanceof CommitUnknownError) return true;
  return error instanceof Error && error.cause instanceof CommitUnknownError;
}

interface FailureDescription {
  error: string;
  code?: string | undefined;
  detail?: string | undefined;
  frames?: string[] | undefined;
  cause?: FailureDescription | undefined;
}

function describeFailure(error: unknown, depth = 0): FailureDescription {
  if (!(error instanceof Error)) return { error: typeof error };
  return {
    error: error.name,
    code: ownCode(error),
    detail: error instanceof AppError ? error.detail : undefined,
    frames: error.stack
      ?.split('\n')
      .filter((line) => line.startsWith('    at '))
      .slice(0, 12)
      .map((line) => line.trim()),
    cause: error.cause !== undefined && depth < 3 ? describeFailure(error.cause, depth + 1) : undefined,
  };
}

function ownCode(error: Error): string | undefined {
  const value: unknown = Object.getOwnPropertyDescriptor(error, 'code')?.value;
  return typeof value === 'string' ? value : undefined;
}
