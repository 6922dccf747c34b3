import type { Check } from '../check.js';
import { documentPaths } from './document-paths.js';
import { readMarkdown } from './read-markdown.js';

const CAPITALS = /^(?:[A-Z][A-Z0-9]*_)*[A-Z][A-Z0-9]{2,}$/;

/** Every variable or constant in a document's code (in capitals) also occurs outside the documents. */
export const namedVariables: Check = {
  name: 'named-variables',
  run: (repository) => {
    const words = new Set(
      repository.paths
        .filter((path) => !path.endsWith('.md') && path !== 'pnpm-lock.yaml')
        .flatMap((path) => repository.read(path).match(/[A-Z][A-Z0-9_]+/g) ?? []),
    );
    return documentPaths(repository).flatMap((path) =>
      readMarkdown(repository.read(path)).spans.flatMap(({ line, text }) => {
        const name = text.replace(/=.*$/, '');
        return CAPITALS.test(name) && !words.has(name)
          ? [{ path, line, message: `${name} occurs nowhere in the sources or .env.example` }]
          : [];
      }),
    );
  },
};
