import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';

/** A MariaDB server installed on this machine. */
export interface MariadbInstallation {
  readonly server: string;
  readonly installer: string;
  /** As `10.11.6`. */
  readonly version: string;
}

const OUTSIDE_PATH = ['/usr/sbin', '/usr/local/sbin', '/usr/libexec', '/opt/homebrew/opt/mariadb/bin'];

/** The server's programs, undefined where MariaDB is not installed. */
export async function findMariadb(): Promise<MariadbInstallation | undefined> {
  const server = findProgram('mariadbd');
  const installer = findProgram('mariadb-install-db');
  if (server === undefined || installer === undefined) return undefined;
  const { stdout } = await promisify(execFile)(server, ['--no-defaults', '--version']);
  return { server, installer, version: /Ver (\d+\.\d+\.\d+)/.exec(stdout)?.[1] ?? 'of unknown version' };
}

function findProgram(name: string): string | undefined {
  const folders = [...(process.env['PATH'] ?? '').split(delimiter), ...OUTSIDE_PATH];
  return folders.map((folder) => join(folder, name)).find((path) => existsSync(path));
}
