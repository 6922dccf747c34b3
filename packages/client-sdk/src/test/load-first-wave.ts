import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import type { createAdminClient } from '../admin.js';
import type * as main from '../main.js';

const run = promisify(execFile);
const TARBALL = fileURLToPath(new URL('./first-wave/gatehouse-client-sdk-0.1.0.tgz', import.meta.url));
const MODULES = fileURLToPath(new URL('../../node_modules', import.meta.url));

/** The published client of the first wave, by the names that it and this one share. */
export interface FirstWave extends AsyncDisposable {
  readonly createMainClient: typeof main.createMainClient;
  readonly createAdminClient: typeof createAdminClient;
  readonly isGatehouseError: typeof main.isGatehouseError;
  readonly perCall: typeof main.perCall;
  readonly startSocialSignIn: typeof main.startSocialSignIn;
  readonly startConnecting: typeof main.startConnecting;
  readonly finishSocial: typeof main.finishSocial;
  /** The file with the types of one of its entries. */
  declarations(entry: 'main' | 'admin'): string;
}

/** Unpacks the tarball, and loads it with the packages of this one. */
export async function loadFirstWave(): Promise<FirstWave> {
  const folder = await mkdtemp(join(tmpdir(), 'gatehouse-first-wave-'));
  const dist = join(folder, 'package', 'dist');
  await run('tar', ['-xzf', TARBALL, '-C', folder]);
  await symlink(MODULES, join(folder, 'node_modules'));
  const load = async (name: string): Promise<object> => {
    const loaded: unknown = await import(/* @vite-ignore */ pathToFileURL(join(dist, name)).href);
    if (typeof loaded !== 'object' || loaded === null) throw new TypeError('a module is an object');
    return loaded;
  };
  return {
    ...((await load('main.js')) as Omit<FirstWave, 'createAdminClient'>),
    ...((await load('admin.js')) as Pick<FirstWave, 'createAdminClient'>),
    declarations: (entry) => join(dist, `${entry}.d.ts`),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true }),
  };
}
