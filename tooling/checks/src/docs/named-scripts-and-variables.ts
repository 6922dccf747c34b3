import { z } from 'zod';
import type { Check } from '../check.js';
import type { Repository } from '../repository.js';
import { documentPaths } from './document-paths.js';
import { readMarkdown } from './read-markdown.js';

const manifest = z.object({
  name: z.string(),
  scripts: z.record(z.string(), z.string()).default({}),
});

type Manifest = z.output<typeof manifest> & { readonly path: string };

/** Every package.json of the repository, the root's first. */
function manifestsOf(repository: Repository): Manifest[] {
  return repository.paths
    .filter((path) => /(^|\/)package\.json$/.test(path))
    .sort((one, other) => one.split('/').length - other.split('/').length)
    .map((path) => ({ path, ...manifest.parse(JSON.parse(repository.read(path))) }));
}

/** The commands of pnpm itself that documents may name. */
const BUILT_IN = new Set([
  'add',
  'audit',
  'dedupe',
  'dlx',
  'exec',
  'install',
  'outdated',
  'pack',
  'remove',
  'update',
  'why',
]);

const CALL =
  /(?<![\w@/-])pnpm(?:@\d+)?(?<flags>(?:\s+(?:-s|--silent|-r|--filter[= ]\S+))*)(?:\s+run)?\s+(?<script>[a-z][\w:-]*)(?:\s+(?<argument>[a-z][\w-]*))?/g;

const CAPITALS = /^(?:[A-Z][A-Z0-9]*_)*[A-Z][A-Z0-9]{2,}$/;

/**
 * Every `pnpm …` in a document is a script, every `gatehouse …` a command, and every variable or constant in its code (in
 * capitals) also occurs outside the documents.
 */
export const namedScriptsAndVariables: Check = {
  name: 'named-scripts-and-variables',
  run: (repository) => {
    const commands = operatorCommands(repository);
    const words = wordsInCapitals(repository);
    return documentPaths(repository).flatMap((path) => {
      const { spans, fenced } = readMarkdown(repository.read(path));
      const missing = spans.flatMap(({ line, text }) => {
        const name = text.replace(/=.*$/, '');
        return CAPITALS.test(name) && !words.has(name)
          ? [{ path, line, message: `${name} occurs nowhere in the sources or .env.example` }]
          : [];
      });
      const unknown = [...spans, ...fenced].flatMap(({ line, text }) =>
        [...withoutComment(text).matchAll(CALL)].flatMap(({ groups }) => {
          const { flags = '', script = '', argument } = groups ?? {};
          const filtered = /--filter[= ](\S+)/.exec(flags)?.[1];
          if (!BUILT_IN.has(script) && !hasScript(repository, filtered, script)) {
            return [{ path, line, message: `pnpm ${script}: ${filtered ?? 'the root'} has no such script` }];
          }
          return script === 'gatehouse' && argument !== undefined && !commands.has(argument)
            ? [{ path, line, message: `gatehouse ${argument}: there is no such command` }]
            : [];
        }),
      );
      return [...missing, ...unknown];
    });
  },
};

/** In a shell snippet the text after `#` is a comment. */
function withoutComment(text: string): string {
  return text.replace(/(^|\s)#.*$/, '');
}

function hasScript(repository: Repository, packageName: string | undefined, script: string): boolean {
  const chosen = manifestsOf(repository).find(({ path, name }) =>
    packageName === undefined ? path === 'package.json' : name === packageName,
  );
  return chosen !== undefined && Object.hasOwn(chosen.scripts, script);
}

/** A command of the operator's command line is an object with a `name` in tooling/cli/src/commands. */
function operatorCommands(repository: Repository): Set<string> {
  const files = repository.paths.filter((path) => path.startsWith('tooling/cli/src/commands/'));
  return new Set(
    files.flatMap((path) =>
      [...repository.read(path).matchAll(/^ {2}name: '([^']+)'/gm)].map((match) => match[1] ?? ''),
    ),
  );
}

function wordsInCapitals(repository: Repository): Set<string> {
  const sources = repository.paths.filter((path) => !path.endsWith('.md') && path !== 'pnpm-lock.yaml');
  return new Set(sources.flatMap((path) => repository.read(path).match(/[A-Z][A-Z0-9_]+/g) ?? []));
}
