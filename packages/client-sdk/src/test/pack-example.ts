import { cp, readdir, readFile, rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { installPackedClient, type Manifest } from './install-packed-client.js';

/** An example with the client as published. */
export interface PackedExample extends AsyncDisposable {
  readonly folder: string;
}

const MADE = new Set(['node_modules', '.packed', '.next', 'dist', 'tsconfig.tsbuildinfo']);

/**
 * Copies an example into a folder of its own, with the packed client installed there. The frameworks are those that the
 * workspace has installed for the example, which are those it names, so that a copy installs the same. Nothing is downloaded.
 */
export async function packExample(name: 'nextjs' | 'own-api' | 'react-vite'): Promise<PackedExample> {
  const example = fileURLToPath(new URL(`../../../../examples/${name}`, import.meta.url));
  const folder = join(example, '.packed');
  await rm(folder, { recursive: true, force: true });
  for (const part of await readdir(example))
    if (!MADE.has(part)) await cp(join(example, part), join(folder, part), { recursive: true });
  await using packed = await installPackedClient();
  await expectNamedVersions(example, packed.manifest);
  await cp(join(packed.folder, 'node_modules'), join(folder, 'node_modules'), {
    recursive: true,
    filter: (path) => basename(path) !== '.bin',
  });
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

/**
 * An example is independent of the workspace: its manifest names exact versions of this client and of the packages the
 * workspace has.
 */
async function expectNamedVersions(example: string, client: Manifest): Promise<void> {
  const read = async (folder: string) =>
    JSON.parse(await readFile(join(folder, 'package.json'), 'utf8')) as Manifest & {
      devDependencies?: Readonly<Record<string, string>>;
    };
  const { dependencies, devDependencies } = await read(example);
  for (const [name, wanted] of Object.entries({ ...dependencies, ...devDependencies })) {
    const { version } = name === client.name ? client : await read(join(example, 'node_modules', name));
    // The client is packed with a version of its content.
    if (version.replace(/-dev\.[a-z]+$/, '') !== wanted)
      throw new Error(`The example names ${name} ${wanted}, and ${version} is installed`);
  }
}
