import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);

/** A MySQL server that can be started. */
export interface MysqlProgram {
  /** Before the server's own options. */
  readonly command: readonly [program: string, ...words: string[]];
  /** The folder that the command sees as `/`. */
  readonly root: string;
  /** As `9.7.4`. */
  readonly version: string;
}

/** Where a system with MySQL is made: Debian's stable releases have none. */
const systemIn = (cache: string): string => join(cache, 'mysql');

/** The MySQL of this machine, or the fetched one; undefined if there is neither. MariaDB's `mysqld` does not count. */
export async function findMysql(cache: string): Promise<MysqlProgram | undefined> {
  const system = systemIn(cache);
  const fetched = { command: ['chroot', system, 'mysqld'], root: system } as const;
  return (
    (await withVersion({ command: ['mysqld'], root: '/' })) ??
    (existsSync(system) ? await withVersion(fetched) : undefined)
  );
}

async function withVersion(found: Omit<MysqlProgram, 'version'>): Promise<MysqlProgram | undefined> {
  const [program, ...words] = found.command;
  try {
    const { stdout } = await run(program, [...words, '--no-defaults', '--version']);
    const version = /Ver (\d+\.\d+\.\d+)/.exec(stdout)?.[1];
    return version === undefined || stdout.includes('MariaDB') ? undefined : { ...found, version };
  } catch {
    return undefined;
  }
}

/**
 * Puts MySQL into a small system of its own, unless one is found. It takes Debian's unstable release, which has its
 * newest long-term version.
 * @throws Error that says what is missing
 */
export async function fetchMysql(cache: string): Promise<MysqlProgram> {
  const found = await findMysql(cache);
  if (found !== undefined) return found;
  if (process.getuid?.() !== 0) throw new Error(instead('only root can make a system for it'));
  const partial = `${systemIn(cache)}.partial`;
  await rm(partial, { recursive: true, force: true });
  await mkdir(cache, { recursive: true });
  try {
    await run('debootstrap', ['--variant=minbase', 'sid', partial], LONG);
    await run('chroot', [partial, 'env', 'DEBIAN_FRONTEND=noninteractive', ...INSTALL], LONG);
  } catch (error) {
    const reason = error instanceof Error ? error.message.slice(-500) : String(error);
    throw new Error(
      instead(reason.includes('ENOENT') ? 'debootstrap is missing (apt-get install debootstrap)' : reason),
    );
  }
  await rm(systemIn(cache), { recursive: true, force: true });
  await rename(partial, systemIn(cache));
  const made = await findMysql(cache);
  if (made === undefined) throw new Error(instead('the mysqld that was fetched does not run'));
  return made;
}

const LONG = { maxBuffer: 50_000_000 };
const INSTALL = ['apt-get', 'install', '-y', '--no-install-recommends', 'mysql-server-core'];

/** What to do if it cannot be fetched. */
function instead(reason: string): string {
  return `There is no MySQL: ${reason}. Install mysql-server, or name a server in MATRIX_MYSQL_URL (root of an empty one).`;
}
