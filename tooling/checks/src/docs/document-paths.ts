import type { Repository } from '../repository.js';

/** The documents whose claims are checked: every Markdown file of the repository. */
export function documentPaths(repository: Repository): string[] {
  return repository.paths.filter((path) => path.endsWith('.md'));
}
