import { type ChildProcess, execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { parseEnv, promisify } from 'node:util';
import { VERSION } from '@gatehouse/auth-core';
import { blockOf, createTestFolder, findFreePort, startPrivateMariadb } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { startMailServer } from './test/start-mail-server.js';

const run = promisify(execFile);
const REPOSITORY = fileURLToPath(new URL('../../../', import.meta.url));
const PASSWORD = 'Cinnabar-Ferry-68';

/** Runs a command without the repository: an empty folder is mounted in its place, for this command alone. */
const WITHOUT_REPOSITORY = [
  '--mount',
  'sh',
  '-c',
  'mount -t tmpfs none "$0" && exec "$@"',
  REPOSITORY,
] as const;

/** The command, folder and environment that systemd makes of a unit. */
async function readUnit(file: string, machine: string) {
  const text = (await readFile(file, 'utf8')).replaceAll(/\/(?=(opt|etc)\/)/g, `${machine}/`);
  const all = (name: string) =>
    [...text.matchAll(new RegExp(`^${name}=(.*)$`, 'gm'))].map(([, value = '']) => value);
  const environment = all('Environment').flatMap((line) => line.match(/"[^"]+"|\S+/g) ?? []);
  const [credentials = ''] = all('LoadCredential');
  return {
    command: all('ExecStart').join(' ').replace('/usr/bin/node', process.execPath).split(' '),
    folder: all('WorkingDirectory').join(''),
    secrets: credentials.replace('gatehouse:', ''),
    environment: {
      ...Object.fromEntries(
        environment.map((pair) => {
          const [name = '', ...value] = pair.replaceAll('"', '').split('=');
          return [name, value.join('=')];
        }),
      ),
      ...parseEnv(await readFile(all('EnvironmentFile').join(''), 'utf8')),
    },
  };
}

async function readyAt(url: string, service: ChildProcess): Promise<void> {
  while (service.exitCode === null) {
    const response = await fetch(`${url}/readyz`).catch(() => undefined);
    if (response?.status === 200) return;
    await pause(50);
  }
  throw new Error(`The service ended with ${service.exitCode}`);
}

/** Follows the guide in a clone, which gets the tag, with the build of this repository. Returns the tag. */
async function makeRelease(folder: string): Promise<string> {
  const cwd = join(folder, 'clone');
  await run('git', ['clone', '--quiet', '--shared', '--no-checkout', '--no-tags', REPOSITORY, cwd]);
  const play = `export GIT_COMMITTER_NAME=Ada GIT_COMMITTER_EMAIL=ada@example.com GIT_EDITOR='echo A release >'
pnpm() { shift; '${join(REPOSITORY, 'deploy/release')}' "$@"; }`;
  const script = `${play}\n${blockOf('docs/releasing.md', 'git tag')}`;
  await run('bash', ['--norc', '-eu', '-c', script], { cwd, maxBuffer: 10_000_000 });
  return (await run('git', ['describe'], { cwd })).stdout.trim();
}

describe('the folder of a release', { timeout: 300_000 }, () => {
  it('is installed by its own notes, and starts by its units, without the repository', async () => {
    await using folder = await createTestFolder();
    await using server = await startPrivateMariadb({ durable: true });
    await using mails = await startMailServer();
    const [release, machine] = [join(folder.path, 'gatehouse-release'), join(folder.path, 'machine')];
    expect(await makeRelease(folder.path)).toBe(`v${VERSION}`);
    await mkdir(join(machine, 'etc/systemd/system'), { recursive: true });

    const here = (block: string) =>
      block
        .replaceAll(/(?<=[\s'"=])\/(?=(opt|etc)\/)/g, `${machine}/`)
        .replaceAll(/PASSWORD|OTHER|…/g, PASSWORD)
        .replaceAll('smtp://127.0.0.1:25', mails.url)
        .replaceAll('@127.0.0.1/', `@127.0.0.1:${server.port}/`);
    const guide = (text: string) => blockOf('docs/operations.md', text);
    for (const statement of here(guide("CREATE USER 'gatehouse_migrations'")).split(/;\n?/))
      if (statement !== '') await server.ask(statement);

    const [, ...lines] = here(guide('deploy/production-tree')).split('\n');
    const [forMain = '', forAdmin = ''] = here(guide('PASSKEY_RP_ID=')).split(/^# api-admin\.env.*$/m);
    await mkdir(join(machine, 'etc/gatehouse'));
    await writeFile(join(machine, 'etc/gatehouse/api-main.env'), forMain);
    await writeFile(join(machine, 'etc/gatehouse/api-admin.env'), `${forMain}\n${forAdmin}`);
    const script = [
      `cd ${release}`,
      here(blockOf('docs/releasing.md', 'sha256sum --check')),
      `cd ${machine}/opt/gatehouse`,
      ...lines.filter((line) => !line.startsWith('deploy/production-tree')),
      // No systemd runs here: the units are read below.
      'systemctl() { echo "systemctl $*"; }',
      here(guide('systemctl enable')),
    ].join('\n');
    const env = { PATH: `${dirname(process.execPath)}:/usr/bin:/bin:/usr/sbin:/sbin` };
    const installed = await run('unshare', [...WITHOUT_REPOSITORY, 'bash', '--norc', '-e', '-c', script], {
      env,
    });
    expect(installed.stdout).toContain('gatehouse@% may serve');
    expect(installed.stdout).toContain('systemctl enable --now gatehouse-api-main gatehouse-api-admin');

    const units = ['gatehouse-api-main.service', 'gatehouse-api-admin.service'];
    const verified = spawnSync('systemd-analyze', ['verify', `--root=${machine}`, ...units], {
      encoding: 'utf8',
    });
    // The folder has no other units than ours.
    const faults = verified.stderr
      .split('\n')
      .filter((line) => !/^$|Unit sysinit\.target not found/.test(line));
    expect([verified.error, faults]).toEqual([undefined, []]);

    for (const [name, page] of [
      ['api-main', 'portal'],
      ['api-admin', 'console'],
    ]) {
      const unit = await readUnit(join(machine, `etc/systemd/system/gatehouse-${name}.service`), machine);
      const credentials = join(machine, `run/${name}`);
      await mkdir(credentials, { recursive: true });
      for (const file of await readdir(unit.secrets))
        await copyFile(join(unit.secrets, file), join(credentials, `gatehouse_${file}`));
      const port = await findFreePort();
      const service = spawn('unshare', [...WITHOUT_REPOSITORY, ...unit.command], {
        cwd: unit.folder,
        env: { ...env, ...unit.environment, CREDENTIALS_DIRECTORY: credentials, PORT: String(port) },
        stdio: 'ignore',
      });
      const url = `http://127.0.0.1:${port}`;
      await readyAt(url, service);
      expect(await (await fetch(`${url}/healthz`)).json()).toMatchObject({ version: VERSION });
      expect((await fetch(`${url}/${page}/`)).status).toBe(200);
      service.kill('SIGTERM');
      expect(await once(service, 'exit')).toEqual([0, null]);
    }
  });
});
