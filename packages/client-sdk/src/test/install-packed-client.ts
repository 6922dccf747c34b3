import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestFolder } from '@gatehouse/testkit';
import { FRAMEWORKS } from './frameworks.js';

const run = promisify(execFile);

/** This package's folder, with the packages its own tests and tools use. */
const OWN = fileURLToPath(new URL('../../', import.meta.url));
const INSTALLED = join(OWN, 'node_modules');

/** The package manager, which the root of the workspace installs. */
const PNPM = join(OWN, '../../node_modules/pnpm/bin/pnpm.cjs');

/** An empty project with the client installed as published. */
export interface PackedClient extends AsyncDisposable {
  readonly folder: string;
  readonly tarball: Buffer;
  readonly manifest: Manifest;
  /** The folder of the installed client. */
  readonly client: string;
  /** Writes a file into the project. */
  write(name: string, text: string): Promise<void>;
  /** Links a framework into a folder of the project. */
  link(folder: string, name: string): Promise<void>;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Packs the built client and installs the tarball like a registry client: its files, the exact versions of
 * its dependencies, and theirs. Nothing is downloaded. The temporary folder is outside the workspace, so no
 * workspace package can be resolved.
 */
export async function installPackedClient(): Promise<PackedClient> {
  const folder = await createTestFolder();
  const modules = join(folder.path, 'node_modules');
  const client = join(modules, '@gatehouse/client-sdk');
  const packed = join(folder.path, 'packed');
  await mkdir(client, { recursive: true });
  await run(process.execPath, [PNPM, 'pack', '--pack-destination', packed], {
    cwd: OWN,
  });
  const [file = ''] = await readdir(packed);
  await run('tar', ['-xzf', join(packed, file), '-C', client, '--strip-components=1']);
  const manifest = await readManifest(client);

  for (const [name, wanted] of Object.entries(manifest.dependencies ?? {})) {
    const { version, dependencies = {} } = await readManifest(join(INSTALLED, name));
    if (version !== wanted) throw new Error(`${name} ${wanted} is declared, ${version} is installed`);
    if (Object.keys(dependencies).length > 0) throw new Error(`${name} has dependencies of its own`);
    // Copied, because links would resolve to the workspace and its packages.
    await cp(join(INSTALLED, name), join(modules, name), {
      recursive: true,
      dereference: true,
      filter: isOwn,
    });
  }
  await writeFile(join(folder.path, 'package.json'), JSON.stringify({ name: 'consumer', type: 'module' }));

  return {
    folder: folder.path,
    tarball: await readFile(join(packed, file)),
    manifest,
    client,
    write: (name, text) => writeFile(join(folder.path, name), text),
    async link(part, name) {
      const link = join(folder.path, part, 'node_modules', name);
      await mkdir(dirname(link), { recursive: true });
      await symlink(await realpath(join(FRAMEWORKS, name)), link);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** A package's files, without its installed dependencies. */
function isOwn(path: string): boolean {
  return basename(path) !== 'node_modules';
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}
