import ts from 'typescript';
import { lineAt } from '../line-at.js';
import type { Repository } from '../repository.js';
import { nodesOf, parseSource } from '../source/parse-source.js';

export interface ConfigVariable {
  readonly name: string;
  readonly path: string;
  readonly line: number;
}

const CONFIG = /^(packages\/[^/]+|apps\/[^/]+|tooling\/[^/]+)\/src\/(.*\/)?config[\w-]*\.ts$/;

/** The variables of the configuration shapes: members in capitals, `{ PORT: port.default(4000) }`. */
export function configVariables(repository: Repository): ConfigVariable[] {
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
