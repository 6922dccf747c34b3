import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import { join } from 'node:path';

/** A Next.js server of production. */
export interface NextServer extends AsyncDisposable {
  readonly url: string;
}

function next(folder: string, args: readonly string[], env: Readonly<Record<string, string>>): ChildProcess {
  const program = createRequire(join(folder, 'package.json')).resolve('next/dist/bin/next');
  const { PATH = '', HOME = '' } = process.env;
  return spawn(process.execPath, [program, ...args], {
    cwd: folder,
    env: { PATH, HOME, NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1', ...env },
  });
}

/** Builds a project, types included. */
export async function buildNext(folder: string): Promise<void> {
  const child = next(folder, ['build'], {});
  const said: Buffer[] = [];
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (part: Buffer) => said.push(part));
  const [code] = (await once(child, 'exit')) as [number | null];
  if (code !== 0) throw new Error(`next build ended with ${code}:\n${Buffer.concat(said).toString()}`);
}

/** Serves a built project. */
export async function startNext(
  folder: string,
  { port, gatehouseUrl }: { port: number; gatehouseUrl: string },
): Promise<NextServer> {
  const args = ['start', '--hostname', '127.0.0.1', '--port', String(port)];
  const child = next(folder, args, { GATEHOUSE_URL: gatehouseUrl });
  await new Promise<void>((resolve, reject) => {
    child.once('exit', (code) => reject(new Error(`next start ended with ${code}`)));
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (part: Buffer) => {
        if (part.toString().includes('Ready in')) resolve();
      });
  });
  return {
    url: `http://127.0.0.1:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill('SIGKILL');
      await once(child, 'exit');
    },
  };
}
