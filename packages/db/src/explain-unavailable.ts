import { fileURLToPath } from 'node:url';
import type { UnavailableReason } from './database-errors.js';

/** Why a database was unavailable: the error itself, or the remembered reason. */
export interface Unavailability {
  readonly reason: UnavailableReason;
  readonly code?: string | undefined;
}

/**
 * One sentence for an operator: which database, the problem, and what to do. It names the server, user and
 * database, never the password.
 * @param variable the variable with the URL
 */
export function explainUnavailable(
  { reason, code }: Unavailability,
  url: string,
  variable = 'DATABASE_URL',
): string {
  const [what, advice] = url.startsWith('mysql://')
    ? explainServer({ reason, code }, new URL(url), variable)
    : explainFile({ reason, code }, url, variable);
  return `The database ${what}${code === undefined ? '' : ` (${code})`}: ${advice}.`;
}

function explainServer({ reason, code }: Unavailability, url: URL, variable: string): [string, string] {
  const { hostname, port, username, pathname } = url;
  const place = `at ${hostname}:${port || '3306'}`;
  const user = decodeURIComponent(username);
  const name = decodeURIComponent(pathname.slice(1));
  switch (reason) {
    case 'denied':
      if (code === 'ER_BAD_DB_ERROR')
        return [`${name} is not there ${place}`, `create it, or correct ${variable}`];
      if (code === 'ER_DBACCESS_DENIED_ERROR')
        return [
          `${name} ${place} is closed to user ${user}`,
          'run gatehouse migrate, or grant it what gatehouse grants prints, or correct its name',
        ];
      return (
        explainTls(code, place, variable) ?? [
          `${place} denies access to user ${user}`,
          /\bssl-mode=(?:REQUIRED|VERIFY)/i.test(url.search)
            ? `correct user and password in ${variable}`
            : `correct user and password in ${variable}, or add ?ssl-mode=REQUIRED to it if the server demands TLS`,
        ]
      );
    case 'refused':
      return [`${place} cannot be reached`, `start it, or correct ${variable}`];
    case 'lost':
      return [`${place} breaks its connections`, 'look at its log, and at the network in between'];
    case 'timeout':
      return [
        `${place} does not answer in time`,
        'look at its load and its log, and at the network in between',
      ];
    case 'overloaded':
      return [
        `${place} has no connection left`,
        'lower DATABASE_POOL_SIZE, add to max_connections, or take load away',
      ];
    case 'full':
      return [`${place} has no room left, and keeps nothing new`, 'free or add space on its disk'];
    case 'busy':
      return [
        `${place} keeps rows locked for too long`,
        'look for a transaction that hangs (show processlist)',
      ];
    case 'unmigrated':
      return [`${name} ${place} lacks a table or a column`, 'run gatehouse migrate'];
    case 'closed':
      return [`${place} is closed`, 'this process is stopping'];
  }
}

function explainTls(code: string | undefined, place: string, variable: string): [string, string] | undefined {
  switch (code) {
    case 'ER_SECURE_TRANSPORT_REQUIRED':
      return [
        `${place} demands TLS`,
        `add ?ssl-mode=REQUIRED to ${variable}, or better ?ssl-mode=VERIFY_IDENTITY&ssl-ca= and the file of its authority`,
      ];
    case 'HANDSHAKE_NO_SSL_SUPPORT':
      return [`${place} offers no TLS`, `set it up there, or take ssl-mode out of ${variable}`];
    case 'HANDSHAKE_SSL_ERROR':
      return [
        `${place} has no certificate that is trusted, or it is of another name`,
        `let ssl-ca in ${variable} name the file of its authority, and write the host as the certificate does`,
      ];
    default:
      return undefined;
  }
}

function explainFile({ reason, code }: Unavailability, url: string, variable: string): [string, string] {
  const path = url.startsWith('file://') ? fileURLToPath(url) : decodeURIComponent(url.slice('file:'.length));
  if (reason === 'full')
    return [`${path} has no room left, and keeps nothing new`, 'free or add space on its disk'];
  if (reason === 'busy' || reason === 'timeout' || reason === 'overloaded')
    return [`${path} is locked by other writers for too long`, 'look for another process that has it open'];
  if (reason === 'unmigrated') return [`${path} lacks a table or a column`, 'run gatehouse migrate'];
  if (reason === 'closed') return [`${path} is closed`, 'this process is stopping'];
  if (code === 'SQLITE_NOTADB')
    return [`${path} is no database of ours`, `correct ${variable}, or restore a backup`];
  return [
    `${path} cannot be opened`,
    `let this user read and write it and its folder, or correct ${variable}`,
  ];
}
