import { z } from 'zod';
import type { Repository } from '../repository.js';

const manifest = z.object({
  name: z.string(),
  scripts: z.record(z.string(), z.string()).default({}),
});

export type Manifest = z.output<typeof manifest> & { readonly path: string };

/** Every package.json of the repository, the root's first. */
export function manifestsOf(repository: Repository): Manifest[] {
  return repository.paths
    .filter((path) => /(^|\/)package\.json$/.test(path))
    .sort((one, other) => one.split('/').length - other.split('/').length)
    .map((path) => ({ path, ...manifest.parse(JSON.parse(repository.read(path))) }));
}
