import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { type Repository, repositoryOf } from './repository.js';

/**
 * Reads every text file below `root` that is tracked, or untracked and not ignored. Pictures of documents are included, without
 * text.
 */
export function openRepository(root: string): Repository {
  const listed = execFileSync('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: root,
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  const paths = [...new Set(listed.split('\0'))].filter((path) => path !== '');
  return repositoryOf(Object.fromEntries(paths.flatMap((path) => textOf(root, path))));
}

function textOf(root: string, path: string): [path: string, text: string][] {
  try {
    const text = readFileSync(join(root, path), 'utf8');
    if (text.includes('\0')) return path.endsWith('.webp') ? [[path, '']] : [];
    return [[path, text]];
  } catch (error) {
    // A tracked file may be deleted but not yet committed.
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return [];
    throw error;
  }
}
