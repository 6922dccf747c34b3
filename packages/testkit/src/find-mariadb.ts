import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { findProgram } from './find-program.js';

/** A MariaDB server installed on this machine. */
export interface MariadbInstallation {
  readonly server: string;
  readonly installer: string;
  /** As `10.11.6`. */
  readonly version: string;
}

const OUTSIDE_PATH = ['/usr/sbin', '/usr/local/sbin', '/usr/libexec', '/opt/homebrew/opt/mariadb/bin'];

/** The server's programs; undefined when MariaDB is not installed. */
export async function findMariadb(): Promise<MariadbInstallation | undefined> {
  const server = findProgram('mariadbd', OUTSIDE_PATH);
  const installer = findProgram('mariadb-install-db', OUTSIDE_PATH);
  if (server === undefined || installer === undefined) return undefined;
  const { stdout } = await promisify(execFile)(server, ['--no-defaults', '--version']);
  return { server, installer, version: /Ver (\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? 'of unknown version' };
}
