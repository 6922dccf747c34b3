import { execFile } from 'node:child_process';
import { cp, mkdir, readdir, readFile, realpath, symlink, writeFile } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { createTestFolder } from '@gatehouse/testkit';

const run = promisify(execFile);

/** The folder of this package, and what its own tests and tools have installed. */
const OWN = fileURLToPath(new URL('../../', import.meta.url));
const INSTALLED = join(OWN, 'node_modules');

/** An empty project that has installed the client as it would be published. */
export interface PackedClient extends AsyncDisposable {
  readonly folder: string;
  readonly tarball: Buffer;
  readonly manifest: Manifest;
  /** Where the client itself lies. */
  readonly client: string;
  /** Writes a file of the project. */
  write(name: string, text: string): Promise<void>;
  /** Links something more for one folder of the project, as the workspace has installed it. */
  link(folder: string, name: string): Promise<void>;
}

export interface Manifest {
  readonly name: string;
  readonly version: string;
  readonly dependencies?: Readonly<Record<string, string>>;
}

/**
 * Packs the client as built, and installs the tarball as a registry's client would: the tarball's files, what its
 * manifest declares in exactly that version, and what those declare. Nothing is downloaded, and from a temporary folder
 * nothing of the workspace can be resolved.
 */
export async function installPackedClient(): Promise<PackedClient> {
  const folder = await createTestFolder();
  const modules = join(folder.path, 'node_modules');
  const client = join(modules, '@gatehouse/client-sdk');
  const packed = join(folder.path, 'packed');
  await mkdir(client, { recursive: true });
  await run(process.execPath, [join(INSTALLED, 'pnpm/bin/pnpm.cjs'), 'pack', '--pack-destination', packed], {
    cwd: OWN,
  });
  const [file = ''] = await readdir(packed);
  await run('tar', ['-xzf', join(packed, file), '-C', client, '--strip-components=1']);
  const manifest = await readManifest(client);

  for (const [name, wanted] of Object.entries(manifest.dependencies ?? {})) {
    const { version, dependencies = {} } = await readManifest(join(INSTALLED, name));
    if (version !== wanted) throw new Error(`${name} ${wanted} is declared, ${version} is installed`);
    if (Object.keys(dependencies).length > 0) throw new Error(`${name} has dependencies of its own`);
    // Links would lead back to the workspace, and to whatever is installed there.
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
      await symlink(await realpath(join(INSTALLED, name)), link);
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}

/** The files of a package, not what is installed for it. */
function isOwn(path: string): boolean {
  return basename(path) !== 'node_modules';
}

async function readManifest(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest;
}
