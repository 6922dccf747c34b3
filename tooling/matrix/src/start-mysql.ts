import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { promisify } from 'node:util';
import { findFreePort } from '@gatehouse/testkit';
import { startDatabaseServer } from '@gatehouse/testkit/operations';
import type { MysqlProgram } from './mysql-program.js';

/** A MySQL server of its own, on a loopback port. */
export interface PrivateMysql extends AsyncDisposable {
  readonly url: string;
}

const FAST = [
  '--innodb-flush-log-at-trx-commit=0',
  '--innodb-flush-method=nosync',
  '--skip-log-bin',
  '--skip-innodb-doublewrite',
];

/** Installs and starts a MySQL server in a temporary folder of its system. */
export async function startMysql({ command, root }: MysqlProgram): Promise<PrivateMysql> {
  // It stops without this folder, which its package leaves to another one.
  await mkdir(join(root, 'var/lib/mysql-files'), { recursive: true });
  const folder = await mkdtemp(join(root, 'tmp/gatehouse-mysql-'));
  const inside = `/${relative(root, folder)}`;
  const account = process.getuid?.() === 0 ? ['--user=root'] : [];
  const settings = ['--no-defaults', ...account, `--datadir=${inside}/data`];
  const [program, ...words] = command;
  await promisify(execFile)(program, [...words, ...settings, '--initialize-insecure']);
  const port = await findFreePort();
  const server = await startDatabaseServer({
    program,
    settings: [
      ...words,
      ...settings,
      `--socket=${inside}/socket`,
      `--pid-file=${inside}/pid`,
      `--port=${port}`,
      '--bind-address=127.0.0.1',
      '--mysqlx=OFF',
      '--max-connections=500',
      '--innodb-buffer-pool-size=256M',
      ...FAST,
    ],
    port,
    readyWhen: { sql: 'select 1', is: '1' },
  });
  return {
    url: `mysql://root@127.0.0.1:${port}/`,
    async [Symbol.asyncDispose]() {
      await server.end('SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
}
