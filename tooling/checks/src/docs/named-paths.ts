import { posix } from 'node:path';
import type { Check } from '../check.js';
import type { Repository } from '../repository.js';
import { documentPaths } from './document-paths.js';
import { brokenLinks } from './links.js';
import { type Piece, readMarkdown } from './read-markdown.js';

const ENDING = /\.(?:[cm]?[jt]s|json|ya?ml|md|sql|sh|example)$/;
const PATH = /^[\w.@*{},[\]<>-]+(?:\/[\w.@*{},[\]<>-]+)*\/?$/;

/** Every path and package that a document names exists in the repository, and every link has a target. */
export const namedPaths: Check = {
  name: 'named-paths',
  run: (repository) => {
    const packages = ownNames(repository);
    const roots = new Set(
      repository.paths.filter((path) => path.includes('/')).map((path) => path.split('/')[0] ?? ''),
    );
    const documents = [
      ...documentPaths(repository),
      ...repository.paths.filter((path) => path === '.env.example'),
    ];
    const missing = documents.flatMap((path) => {
      const { spans, fenced, prose } = readMarkdown(repository.read(path));
      const words = (path.endsWith('.md') ? [...spans, ...fenced] : prose).flatMap(wordsOf);
      return words.flatMap(({ line, text }) => {
        const isMissing = text.startsWith('@gatehouse/')
          ? !packages.has(text.split('/').slice(0, 2).join('/'))
          : looksLikePath(text, roots) && !exists(repository, path, text);
        return isMissing ? [{ path, line, message: `${text} does not exist` }] : [];
      });
    });
    return [...missing, ...brokenLinks(repository)];
  },
};

function wordsOf({ line, text }: Piece): Piece[] {
  return text
    .split(/[\s"'`()=;|]+/)
    .map((word) =>
      word
        .replace(/[.,:]+$/, '')
        .replace(/:\d+$/, '')
        .replace(/^\.\//, ''),
    )
    .filter((word) => word !== '')
    .map((word) => ({ line, text: word }));
}

/** A path begins with a top-level folder, or is only a file name. */
function looksLikePath(word: string, roots: ReadonlySet<string>): boolean {
  if (!PATH.test(word)) return false;
  return word.includes('/')
    ? roots.has(word.split('/')[0] ?? '') || /^(src|dist)\//.test(word)
    : ENDING.test(word);
}

/**
 * The path of a built file means its source. A path is relative to the root or to the document's folder.
 * `src/…` and bare names may be in any package, and a bare extension is that of any file. `*`, `{a,b}` and
 * `<name>` have their usual meaning.
 */
function exists(repository: Repository, from: string, word: string): boolean {
  const source = word.replace(/(^|\/)dist\//, '$1src/').replace(/((?:^|\/)src\/.*)\.js$/, '$1.ts');
  const pattern = source
    .replace(/\/$/, '')
    .replace(/[.[\]]/g, '\\$&')
    .replace(/<[^>]*>/g, '[^/]+')
    .replace(/\*\*/g, '\0')
    .replace(/\*/g, '[^/]*')
    .replace(/\0/g, '.*')
    .replace(/\{([^}]*)\}/g, (_, names: string) => `(?:${names.replaceAll(',', '|')})`);
  const isLoose = !word.includes('/') || source.startsWith('src/');
  const isEnding = isLoose && word.startsWith('.');
  const beginnings = isLoose ? [isEnding ? '.*' : '(?:.*/)?'] : ['', `${posix.dirname(from)}/`];
  return beginnings.some((beginning) => {
    const path = new RegExp(`^${beginning}${pattern}(?:/.*)?$`);
    return repository.paths.some((each) => path.test(each));
  });
}

/** Packages and export conditions: the quoted names with our scope in the manifests. */
function ownNames(repository: Repository): Set<string> {
  const manifests = repository.paths.filter((path) => posix.basename(path) === 'package.json');
  return new Set(
    manifests.flatMap((path) => repository.read(path).match(/(?<=")@gatehouse\/[\w-]+(?=")/g) ?? []),
  );
}
