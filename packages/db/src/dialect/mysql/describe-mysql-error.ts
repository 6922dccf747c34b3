import {
  DatabaseUnavailableError,
  DuplicateKeyError,
  TransactionConflictError,
  type UnavailableReason,
} from '../../database-errors.js';

const DUPLICATE_ENTRY = 1062;

/** Lock wait timeout, deadlock (also a failed certification on a cluster), record changed since last read. */
const CONFLICTS = new Set([1205, 1213, 1020]);

/** The server cannot serve anybody, or this connection, at the moment. */
const SERVER_REASONS: ReadonlyMap<number, UnavailableReason> = new Map([
  [1040, 'overloaded'], // too many connections
  [1203, 'overloaded'], // too many connections of this user
  [1047, 'refused'], // the cluster node is not ready
  [1053, 'lost'], // the server is shutting down
  [1079, 'lost'], // the server is shutting down
  [1317, 'lost'], // the statement was interrupted
  [1180, 'lost'], // the commit failed, on a cluster that was breaking up
  [1969, 'timeout'], // the server's own limit of time for a statement
  [3024, 'timeout'], // the same on MySQL
  [1927, 'lost'], // the connection was killed
  [3169, 'lost'], // the session was killed
  [4031, 'lost'], // the connection was idle for too long
  [1045, 'denied'], // no such user, or another password
  [1049, 'denied'], // no such database
  [1251, 'denied'], // the user signs in a way this driver does not know
  [1698, 'denied'], // the user does not sign in with a password
  [3159, 'denied'], // the server demands TLS
  [1021, 'full'], // the disk is full
  [1114, 'full'], // the table, or what it grows in, is full
  [1290, 'refused'], // the server is read-only
  [1836, 'refused'], // the server is read-only
]);

/** File errors; the message says whether the disk was full. */
const ABOUT_FILES = new Set([3, 1026, 1030]);
/** The driver gives every failure of a TLS handshake one code, also that of the network. */
const BROKEN_HANDSHAKE = /ECONN|EPIPE|ETIMEDOUT|disconnected before/;
const NO_SPACE_LEFT = /\b(?:errno:|error) 28\b/i;

const CLIENT_REASONS: ReadonlyMap<string, UnavailableReason> = new Map([
  ['ECONNREFUSED', 'refused'],
  ['EHOSTUNREACH', 'refused'],
  ['ENETUNREACH', 'refused'],
  ['ENOTFOUND', 'refused'],
  ['EAI_AGAIN', 'refused'],
  ['ENOENT', 'refused'],
  ['ECONNRESET', 'lost'],
  ['EPIPE', 'lost'],
  ['PROTOCOL_CONNECTION_LOST', 'lost'],
  ['PROTOCOL_SEQUENCE_TIMEOUT', 'timeout'],
  ['ETIMEDOUT', 'timeout'],
  ['HANDSHAKE_NO_SSL_SUPPORT', 'denied'],
  ['HANDSHAKE_SSL_ERROR', 'denied'],
]);

/** The server gave this reason over a connection that still works. */
const ANSWERED = new Set<UnavailableReason>(['overloaded', 'full']);

interface MysqlError extends Error {
  code?: string | undefined;
  errno?: number | undefined;
  sql?: string | undefined;
}

/**
 * Translates an error of the MySQL driver and drops the statement, which contains every value, including
 * passwords and tokens. The message of a duplicate also contains the value and is dropped.
 */
export function describeMysqlError(error: MysqlError): Error {
  delete error.sql;
  if (error.errno === DUPLICATE_ENTRY) return new DuplicateKeyError(violatedKey(error.message));
  if (error.errno !== undefined && CONFLICTS.has(error.errno))
    return new TransactionConflictError({ cause: error });
  const reason = reasonOf(error);
  if (reason !== undefined) return new DatabaseUnavailableError(reason, { cause: error });
  if (/closed state|Pool is closed/.test(error.message))
    return new DatabaseUnavailableError('lost', { cause: error });
  return error;
}

function reasonOf({ errno = 0, code = '', message }: MysqlError): UnavailableReason | undefined {
  if (code === 'HANDSHAKE_SSL_ERROR' && BROKEN_HANDSHAKE.test(message)) return 'lost';
  if (ABOUT_FILES.has(errno) && NO_SPACE_LEFT.test(message)) return 'full';
  return SERVER_REASONS.get(errno) ?? CLIENT_REASONS.get(code);
}

/** Whether the connection can run another statement after this error. */
export function breaksConnection(error: unknown): boolean {
  return error instanceof DatabaseUnavailableError && !ANSWERED.has(error.reason);
}

/**
 * MariaDB's message ends with the name of the key, MySQL's with table and key; a value before it may contain
 * quotes.
 */
function violatedKey(message: string): string {
  return /for key '(?:[^']*\.)?([^'.]+)'$/.exec(message)?.[1] ?? 'PRIMARY';
}
