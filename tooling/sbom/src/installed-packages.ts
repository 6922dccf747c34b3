import { existsSync, readFileSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';

const names = z.record(z.string(), z.unknown()).default({});
const manifestShape = z.object({
  name: z.string(),
  version: z.string(),
  license: z.unknown().optional(),
  dependencies: names,
  optionalDependencies: names,
  peerDependencies: names,
});

/** A package on the disk, and the folders of those it depends on. */
export interface InstalledPackage {
  readonly folder: string;
  readonly name: string;
  readonly version: string;
  /** The SPDX expression of its manifest, if there is one. */
  readonly license: string | undefined;
  readonly dependencies: readonly string[];
}

/**
 * The packages that the manifests of the given folders reach, without those of development, each once. Optional dependencies for other
 * machines, peers that are not installed, and types are left out.
 * @param removed dependencies that an override removes, as `parent>dependency`
 * @throws {Error} if a dependency is not installed
 */
export function installedPackages(
  folders: readonly string[],
  removed: ReadonlySet<string>,
): InstalledPackage[] {
  const found = new Map<string, InstalledPackage>();
  const open = folders.map((folder) => realpathSync(folder));
  for (let folder = open.pop(); folder !== undefined; folder = open.pop()) {
    if (found.has(folder)) continue;
    const entry = read(folder, removed);
    found.set(folder, entry);
    open.push(...entry.dependencies);
  }
  return [...found.values()].sort(
    (one, other) => compare(one.name, other.name) || compare(one.version, other.version),
  );
}

function read(folder: string, removed: ReadonlySet<string>): InstalledPackage {
  const manifest = manifestShape.parse(JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')));
  const { name, version, license, dependencies, optionalDependencies, peerDependencies } = manifest;
  const mayBeMissing = new Set([...Object.keys(optionalDependencies), ...Object.keys(peerDependencies)]);
  const folders = new Set<string>();
  for (const dependency of [...Object.keys(dependencies), ...mayBeMissing]) {
    if (dependency.startsWith('@types/') || removed.has(`${name}>${dependency}`)) continue;
    const place = placeOf(dependency, folder);
    if (place !== undefined) folders.add(realpathSync(place));
    else if (!mayBeMissing.has(dependency))
      throw new Error(`${name} needs ${dependency}, which is not installed`);
  }
  return {
    folder,
    name,
    version,
    license: typeof license === 'string' ? license : undefined,
    dependencies: [...folders].sort(),
  };
}

/** Node looks into the package's own `node_modules` first, then into each one above. pnpm needs the first of these. */
function placeOf(dependency: string, folder: string): string | undefined {
  const above = folder.lastIndexOf('/node_modules/');
  const places = [join(folder, 'node_modules', dependency)];
  if (above !== -1) places.push(join(folder.slice(0, above), 'node_modules', dependency));
  return places.find((place) => existsSync(place));
}

function compare(one: string, other: string): number {
  if (one === other) return 0;
  return one < other ? -1 : 1;
}
