import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { findFreePort } from '@gatehouse/testkit';

/** The development server, in a process of its own. */
export interface DevelopmentServer extends AsyncDisposable {
  readonly url: string;
}

const VITE = fileURLToPath(new URL('../../bin/vite.js', import.meta.resolve('vite')));
const PORTAL = fileURLToPath(new URL('../../', import.meta.url));

/** Starts what `pnpm dev` of the portal starts, at another port, for a service. */
export async function spawnVite(serviceUrl: string): Promise<DevelopmentServer> {
  const port = await findFreePort();
  const child = spawn(process.execPath, [VITE, '--port', String(port)], {
    cwd: PORTAL,
    env: { ...process.env, GATEHOUSE_URL: serviceUrl, NODE_ENV: 'development', NO_COLOR: '1' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const exited = once(child, 'exit');
  let isReady = false;
  for await (const line of createInterface(child.stdout)) {
    if (!line.includes('Local:')) continue;
    isReady = true;
    break;
  }
  if (!isReady) throw new Error('Vite did not start');
  return {
    url: `http://localhost:${port}`,
    async [Symbol.asyncDispose]() {
      child.kill();
      await exited;
    },
  };
}
