// @module-tag slow

import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { copyFile, readFile, symlink, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { blockOf, createTestFolder, findFreePort } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { startMailServer } from '../test/start-mail-server.js';

const REPOSITORY = fileURLToPath(new URL('../../../../', import.meta.url));

/** Fills in `.env` as the README says. */
async function fillIn(path: string, values: Readonly<Record<string, string>>): Promise<void> {
  let text = await readFile(path, 'utf8');
  for (const [name, value] of Object.entries(values)) {
    const line = new RegExp(`^(?:# )?${name}=.*$`, 'm');
    expect(text).toMatch(line);
    text = text.replace(line, `${name}=${value}`);
  }
  await writeFile(path, text);
}

/** Bash until disposal, with all that it has started. */
function startShell(script: string, cwd: string) {
  const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  const shell = spawn('bash', ['--norc', '-eu', '-c', script], {
    cwd,
    env: { PATH },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  for (const stream of [shell.stdout, shell.stderr])
    stream.on('data', (chunk: Buffer) => {
      said += chunk.toString();
    });
  const ended = once(shell, 'close');
  return {
    ended,
    hasEnded: () => shell.exitCode !== null,
    said: () => said,
    async [Symbol.asyncDispose]() {
      if (shell.exitCode === null && shell.pid !== undefined) process.kill(-shell.pid, 'SIGTERM');
      await ended;
    },
  };
}

it('a deployment for production is prepared and started by the commands of the README', {
  timeout: 120_000,
}, async () => {
  await using folder = await createTestFolder();
  await using mails = await startMailServer();
  for (const name of ['apps', 'tooling']) await symlink(`${REPOSITORY}${name}`, `${folder.path}/${name}`);
  await copyFile(`${REPOSITORY}.env.example`, `${folder.path}/.env.example`);
  const [build = '', copy = '', ...rest] = blockOf('README.md', 'cp .env.example .env').split('\n');
  expect(build).toBe('pnpm build');
  await using copied = startShell(copy, folder.path);
  expect(await copied.ended).toEqual([0, null]);
  await fillIn(`${folder.path}/.env`, {
    JWT_SECRET_KEY: randomBytes(48).toString('base64'),
    SESSION_SECRET: randomBytes(48).toString('base64'),
    DATA_ENCRYPTION_KEY: randomBytes(32).toString('base64'),
    APP_URL: 'https://app.example.com',
    BASE_URL: 'https://api.example.com',
    DATABASE_URL: `file:${folder.path}/gatehouse.db`,
    TRUSTED_PROXIES: '127.0.0.1',
    SMTP_URL: mails.url,
    PASSKEY_RP_ID: 'example.com',
  });
  const [main, admin] = [await findFreePort(), await findFreePort()];
  const script = rest
    .join('\n')
    .replace(/^(?=node .*api-main)/m, `PORT=${main} `)
    .replace(/^(?=BASE_URL=)/m, `PORT=${admin} `)
    .replaceAll(/^.*apps\/api-\w+\/dist\/main\.js$/gm, '$& &');
  await using shell = startShell(`${script}\nwait`, folder.path);
  for (const port of [main, admin])
    while (!(await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined))?.ok) {
      if (shell.hasEnded()) throw new Error(shell.said());
      await pause(50);
    }
  expect(shell.said()).toContain('Added ada@example.com');
});
