import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';

/** The sources that a run tests. */
export interface Sources {
  /** The short id of the commit, and whether files differ from it. */
  readonly commit: string;
  /** The same while no tracked file but documents changed. */
  readonly sources: string;
}

const git = (...words: string[]): string =>
  execFileSync('git', words, { encoding: 'utf8', maxBuffer: 100_000_000 });

const isDocument = (path: string): boolean => path.startsWith('docs/') || path.endsWith('.md');

/** The sources as they are now. */
export function readSources(): Sources {
  const committed = git('ls-tree', '-r', 'HEAD')
    .split('\n')
    .filter((line) => !isDocument(line.slice(line.indexOf('\t') + 1)));
  const changed = git('diff', 'HEAD', '--', '.', ':!docs', ':!*.md');
  const commit = git('rev-parse', '--short=8', 'HEAD').trim();
  return {
    commit: changed === '' ? commit : `${commit} with changes`,
    sources: createHash('sha256').update(committed.join('\n')).update(changed).digest('hex'),
  };
}
