import ts from 'typescript';
import type { Check } from '../check.js';
import { lineAt } from '../line-at.js';
import type { Repository } from '../repository.js';
import { isSourcePath, parseSource } from './parse-source.js';

/** The client is left out: its users are outside this repository. */
const INDEX = /^packages\/(?!client-sdk\/)([^/]+)\/src\/index\.ts$/;
const IN_CAPITALS = /^[A-Z][A-Z0-9_]*$/;

/**
 * A package only exports functions that another package imports. Types may be exported for other
 * declarations, and tables in capitals as documentation.
 */
export const unneededExports: Check = {
  name: 'unneeded-exports',
  run: (repository) =>
    repository.paths.flatMap((path) => {
      const folder = INDEX.exec(path)?.[1];
      if (folder === undefined) return [];
      const wanted = namesImported(repository, `@gatehouse/${folder}`, `packages/${folder}/`);
      return functionsExported(parseSource(path, repository.read(path)))
        .filter(({ name }) => !wanted.has(name) && !IN_CAPITALS.test(name))
        .map(({ name, line }) => ({
          path,
          line,
          message: `no other package imports \`${name}\`: take it out of the index`,
        }));
    }),
};

function functionsExported(source: ts.SourceFile): { name: string; line: number }[] {
  return source.statements
    .filter(ts.isExportDeclaration)
    .filter((statement) => !statement.isTypeOnly)
    .flatMap(({ exportClause }) =>
      exportClause && ts.isNamedExports(exportClause) ? [...exportClause.elements] : [],
    )
    .filter((element) => !element.isTypeOnly)
    .map((element) => ({
      name: element.name.text,
      line: lineAt(source.text, element.getStart(source)),
    }));
}

function namesImported(repository: Repository, packageName: string, itself: string): Set<string> {
  const names = repository.paths
    .filter((path) => isSourcePath(path) && !path.startsWith(itself))
    .flatMap((path) => {
      const text = repository.read(path);
      if (!text.includes(packageName)) return [];
      return parseSource(path, text)
        .statements.filter(ts.isImportDeclaration)
        .filter(
          ({ moduleSpecifier }) =>
            ts.isStringLiteral(moduleSpecifier) && moduleSpecifier.text === packageName,
        )
        .flatMap(({ importClause }) => {
          const bindings = importClause?.namedBindings;
          return bindings && ts.isNamedImports(bindings) ? [...bindings.elements] : [];
        })
        .map(({ name, propertyName }) => (propertyName ?? name).text);
    });
  return new Set(names);
}
