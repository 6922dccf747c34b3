import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestFolder, findFreePort, sendRequest } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';

const CLI = fileURLToPath(new URL('../../dist/main.js', import.meta.url));
const README = fileURLToPath(new URL('../../../../README.md', import.meta.url));
const CLIENT = fileURLToPath(new URL('../../../../packages/client-sdk', import.meta.url));

/** `gatehouse start` as built, in an empty folder, on free ports unless others are named. */
async function startDevelopment(named: { ADMIN_PORT?: number } = {}) {
  const folder = await createTestFolder();
  const ports = {
    PORT: await findFreePort(),
    ADMIN_PORT: await findFreePort(),
    SIMULATOR_PORT: await findFreePort(),
    ...named,
  };
  const child = spawn(process.execPath, [CLI, 'start'], {
    cwd: folder.path,
    env: Object.fromEntries(Object.entries(ports).map(([name, port]) => [name, String(port)])),
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exitCode = once(child, 'close').then(([code]: (number | null)[]) => code);
  let said = '';
  const isUp = new Promise<boolean>((resolve) => {
    child.stdout.on('data', (chunk: Buffer) => {
      said += chunk.toString();
      if (said.includes('Ctrl-C stops')) resolve(true);
    });
    void exitCode.then(() => {
      resolve(false);
    });
  });
  const stop = () => {
    child.kill('SIGTERM');
    return exitCode;
  };
  return {
    main: `http://127.0.0.1:${ports.PORT}`,
    admin: `http://127.0.0.1:${ports.ADMIN_PORT}`,
    isUp,
    exitCode,
    said: () => said,
    stop,
    async [Symbol.asyncDispose]() {
      await stop();
      await folder[Symbol.asyncDispose]();
    },
  };
}

/** The first login of the README, in one of its two languages. */
async function firstLogin(language: 'sh' | 'ts', url: string): Promise<string> {
  const readme = await readFile(README, 'utf8');
  const [, text] = readme.split('\n## A first login\n');
  const code = text?.split(`\`\`\`${language}\n`)[1]?.split('\n```')[0];
  if (code === undefined) throw new Error(`The README has no first login in ${language}`);
  return code.replace('http://127.0.0.1:4000', url);
}

describe('a start for development', { timeout: 120_000 }, () => {
  it('needs nothing but a folder, makes the first login of the README, lets local pages call, and stops with 0', async () => {
    await using started = await startDevelopment();
    expect(await started.isUp, started.said()).toBe(true);
    const staff = { email: 'root@gatehouse.test', password: 'Lantern-Harbor-42' };
    expect((await sendRequest(`${started.admin}/webauthenticate`, { body: staff })).status).toBe(200);

    const shell = await promisify(execFile)('sh', ['-eu', '-c', await firstLogin('sh', started.main)]);
    expect(shell.stdout).toContain('"isPersonnel":false');
    expect(shell.stdout.match(/"nextCursor":"[^"]+"/g)).toHaveLength(1);
    expect(shell.stdout).toContain('owner@birch.test');
    expect(shell.stdout).toMatch(/account_forbidden.*Signed out.*unauthorized access$/s);

    const typed = await promisify(execFile)(
      process.execPath,
      ['--input-type=module', '--eval', await firstLogin('ts', started.main)],
      { cwd: CLIENT },
    );
    expect(typed.stdout).toContain('owner@birch.test');
    expect(typed.stdout).toContain('You have no access to this account.');

    const allowed = async (origin: string) => {
      const answer = await fetch(`${started.main}/auth/me`, { headers: { origin } });
      return answer.headers.get('access-control-allow-origin');
    };
    expect(await allowed('http://localhost:5173')).toBe('http://localhost:5173');
    expect(await allowed('https://elsewhere.test')).toBeNull();
    expect(await started.stop()).toBe(0);
  });

  it('says whose port is taken, rather than show what somebody else answers there', async () => {
    const port = await findFreePort();
    const somebody = createServer((_, response) => response.end('ready')).listen(port, '127.0.0.1');
    await once(somebody, 'listening');
    try {
      await using started = await startDevelopment({ ADMIN_PORT: port });
      expect(await started.exitCode).toBe(1);
      expect(started.said()).toBe(
        `api-admin cannot have port ${port}: something listens there. Stop it, or set ADMIN_PORT.\n`,
      );
    } finally {
      somebody.close();
    }
  });
});
