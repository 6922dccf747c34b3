import ts from 'typescript';
import type { Check } from '../check.js';
import { isTestPath } from '../is-test-path.js';
import { lineAt } from '../line-at.js';
import type { Repository } from '../repository.js';
import { isSourcePath, nodesOf, parseSource } from '../source/parse-source.js';

interface ConfigVariable {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

const CONFIG = /^(packages\/[^/]+|apps\/[^/]+|tooling\/[^/]+)\/src\/(.*\/)?config[\w-]*\.ts$/;

/** The variables of the configuration shapes: members in capitals, `{ PORT: port.default(4000) }`. */
function configVariables(repository: Repository): ConfigVariable[] {
  return repository.paths
    .filter((path) => CONFIG.test(path) && !path.endsWith('.test.ts'))
    .flatMap((path) => {
      const source = parseSource(path, repository.read(path));
      return [...nodesOf(source)].flatMap((node) => {
        const isMember = ts.isPropertyAssignment(node) || ts.isShorthandPropertyAssignment(node);
        if (!isMember || !(ts.isIdentifier(node.name) || ts.isStringLiteral(node.name))) return [];
        const name = node.name.text;
        const line = lineAt(source.text, node.getStart(source));
        return /^[A-Z][A-Z0-9]*(_[A-Z0-9]+)*$/.test(name) && name.length > 1 ? [{ name, path, line }] : [];
      });
    });
}

const EXAMPLE = '.env.example';

/** `.env.example` lists every variable of the configuration, and no unused one. */
export const envExample: Check = {
  name: 'env-example',
  run: (repository) => {
    const listed = listedVariables(repository);
    const names = new Set(listed.map(({ name }) => name));
    const sources = repository.paths
      .filter((path) => isSourcePath(path) && !isTestPath(path))
      .map((path) => repository.read(path));
    return [
      ...configVariables(repository)
        .filter(({ name }) => !names.has(name))
        .map(({ name, path, line }) => ({ path, line, message: `${name} is missing from ${EXAMPLE}` })),
      ...listed
        .filter(({ name }) => !sources.some((text) => mentions(text, name)))
        .map(({ name, line }) => ({ path: EXAMPLE, line, message: `nothing reads ${name}` })),
    ];
  },
};

/** `NAME=value`, or the same after a `#` for an optional variable. */
function listedVariables(repository: Repository): { name: string; line: number }[] {
  return repository
    .read(EXAMPLE)
    .split('\n')
    .flatMap((text, index) => {
      const name = /^(?:# ?)?([A-Z][A-Z0-9_]*)=/.exec(text)?.[1];
      return name === undefined ? [] : [{ name, line: index + 1 }];
    });
}

/** Families of variables come from a template: `${key}_CLIENT_ID` reads GOOGLE_CLIENT_ID. */
function mentions(text: string, name: string): boolean {
  if (new RegExp(`\\b${name}\\b`).test(text)) return true;
  return [...text.matchAll(/\$\{[^}]+\}(_[A-Z0-9_]+)/g)].some(
    ([, ending]) => ending !== undefined && name.endsWith(ending),
  );
}
