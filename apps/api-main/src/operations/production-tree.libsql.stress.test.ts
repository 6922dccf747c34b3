import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestFolder, findFreePort, testEnvironment } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';

const run = promisify(execFile);
const deploy = (name: string): string =>
  fileURLToPath(new URL(`../../../../deploy/${name}`, import.meta.url));

/** The image's commands: the entry point and default arguments as lists, the health check as shell text. */
async function commandsOfImage() {
  const text = await readFile(deploy('Dockerfile'), 'utf8');
  const find = (instruction: RegExp): string => instruction.exec(text)?.[1] ?? '';
  const words = (list: string) => z.array(z.string()).min(1).parse(JSON.parse(list));
  return {
    entry: words(find(/^ENTRYPOINT (.+)$/m)),
    start: words(find(/^CMD (.+)$/m)),
    probe: z
      .string()
      .min(1)
      .parse(find(/^HEALTHCHECK .*CMD (.+)$/m)),
  };
}

/** @throws {Error} if the service ends instead */
async function readyzAnswer(port: number, service: ChildProcess): Promise<number> {
  for (;;) {
    if (service.exitCode !== null) throw new Error(`It ended with ${service.exitCode}`);
    const response = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => undefined);
    if (response) return response.status;
    await pause(25);
  }
}

describe('what production runs', () => {
  it('starts as the image starts it, with its secrets in files, and holds nothing of development', {
    timeout: 180_000,
  }, async () => {
    await using folder = await createTestFolder();
    const tree = join(folder.path, 'gatehouse');
    await run(deploy('production-tree'), [tree], { maxBuffer: 10_000_000 });
    const secrets = join(folder.path, 'secrets');
    await mkdir(secrets);
    const { JWT_SECRET_KEY, SESSION_SECRET, DATA_ENCRYPTION_KEY } = testEnvironment();
    const files = {
      JWT_SECRET_KEY,
      SESSION_SECRET,
      DATA_ENCRYPTION_KEY,
      DATABASE_URL: `file:${folder.path}/db`,
    };
    for (const [name, value] of Object.entries(files)) await writeFile(join(secrets, name), `${value}\n`);
    const port = await findFreePort();
    const env = {
      PATH: `${dirname(process.execPath)}:/usr/bin:/bin`,
      CREDENTIALS_DIRECTORY: secrets,
      NODE_ENV: 'production',
      APP_URL: 'https://app.gatehouse.test',
      BASE_URL: 'https://api.gatehouse.test',
      PASSKEY_RP_ID: 'gatehouse.test',
      PORT: String(port),
      MAIL_OUTBOX_DIRECTORY: join(folder.path, 'outbox'),
      MAIL_OUTBOX_ONLY: 'true',
    };
    const { entry, start, probe } = await commandsOfImage();
    const inTree = { cwd: tree, env };
    const command = (words: readonly string[]) => [join(tree, ...entry), [...words]] as const;
    const isAlive = () => run('sh', ['-c', probe], inTree);

    await run(...command(['node', 'tooling/cli/dist/main.js', 'migrate']), inTree);
    for (const words of [start, ['node', 'apps/api-admin/dist/main.js']]) {
      const service = spawn(...command(words), { ...inTree, stdio: 'ignore' });
      try {
        expect([words, await readyzAnswer(port, service)]).toEqual([words, 200]);
        await isAlive();
      } finally {
        service.kill('SIGTERM');
      }
      expect(await once(service, 'exit')).toEqual([0, null]);
    }
    await expect(isAlive()).rejects.toThrow('Command failed');

    const packages = await readdir(join(tree, 'node_modules/.pnpm'));
    const ofDevelopment = /^(vitest|turbo|tsx|esbuild|playwright-core|drizzle-kit|oauth2-mock-server)@/;
    expect(packages.filter((name) => ofDevelopment.test(name))).toEqual([]);
    const held = await readdir(tree, { recursive: true });
    expect(
      held.filter((path) => !path.includes('node_modules') && /\.(ts|tsbuildinfo)$|\.env/.test(path)),
    ).toEqual([]);
  });
});
