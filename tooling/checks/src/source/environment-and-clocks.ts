import ts from 'typescript';
import type { Check } from '../check.js';
import { isTestPath } from '../is-test-path.js';
import { lineAt } from '../line-at.js';
import { isSourcePath, nodesOf, parseSource } from './parse-source.js';

interface Row {
  readonly message: string;
  appliesTo(path: string): boolean;
  matches(node: ts.Node): boolean;
}

/** Programs, and files that start them for tests. They may read the environment and pass it on. */
const COMPOSITION_ROOTS =
  /^apps\/[^/]+\/src\/main\.ts$|^tooling\/[^/]+\/src\/([^/]+\/)?main\.ts$|^tooling\/bench\/src\/targets\/|^packages\/testkit\/src\/|\/src\/test\/|^examples\/|\.config\.[cm]?ts$/;

const ROWS: readonly Row[] = [
  {
    message:
      'the environment is read in main.ts alone: take the value as a parameter, and let the composition root pass it in',
    appliesTo: (path) => !COMPOSITION_ROOTS.test(path),
    matches: readsEnvironment,
  },
  {
    message: 'randomness comes from node:crypto (`randomBytes`, `randomInt`), where nobody can predict it',
    appliesTo: () => true,
    matches: (node) => memberAccess(node) === 'Math.random',
  },
  {
    message: 'auth-core has no clock of its own: take the time as a parameter (`nowMs`)',
    appliesTo: (path) => path.startsWith('packages/auth-core/src/') && !isTestPath(path),
    matches: readsClock,
  },
  {
    message: 'no module mocks: hand the function what it needs, and fake only what is far away',
    appliesTo: isTestPath,
    matches: (node) =>
      ts.isCallExpression(node) &&
      /^vi(test)?\.(mock|doMock|hoisted|importMock)$/.test(memberAccess(node.expression) ?? ''),
  },
];

/** Where code reads the environment, a clock or randomness, and what tests replace. */
export const environmentAndClocks: Check = {
  name: 'environment-and-clocks',
  run: (repository) =>
    repository.paths.filter(isSourcePath).flatMap((path) => {
      const rows = ROWS.filter((row) => row.appliesTo(path));
      const source = parseSource(path, repository.read(path));
      return [...nodesOf(source)].flatMap((node) =>
        rows
          .filter((row) => row.matches(node))
          .map((row) => ({ path, line: lineAt(source.text, node.getStart(source)), message: row.message })),
      );
    }),
};

/** `process.env`, `const { env } = process`, `import { env } from 'node:process'`, and their longer spellings. */
function readsEnvironment(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node)) {
    const module = ts.isStringLiteral(node.moduleSpecifier) ? node.moduleSpecifier.text : '';
    const names = node.importClause?.namedBindings;
    return (
      /^(node:)?process$/.test(module) &&
      names !== undefined &&
      ts.isNamedImports(names) &&
      names.elements.some((element) => (element.propertyName ?? element.name).text === 'env')
    );
  }
  if (ts.isVariableDeclaration(node)) {
    return (
      node.initializer !== undefined &&
      isProcess(node.initializer) &&
      ts.isObjectBindingPattern(node.name) &&
      node.name.elements.some((element) => (element.propertyName ?? element.name).getText() === 'env')
    );
  }
  return /^((globalThis|global)\.)?process\.env$/.test(memberAccess(node) ?? '');
}

function isProcess(node: ts.Node): boolean {
  return /^((globalThis|global)\.)?process$/.test(memberAccess(node) ?? '');
}

/** Creating a date from a given time is a conversion, not reading a clock. */
function readsClock(node: ts.Node): boolean {
  if (ts.isNewExpression(node)) return memberAccess(node.expression) === 'Date' && !node.arguments?.length;
  if (ts.isCallExpression(node) && memberAccess(node.expression) === 'Date') return true;
  return /^(Date\.now|performance\.(now|timeOrigin)|process\.hrtime)$/.test(memberAccess(node) ?? '');
}

/** The dotted text of `a.b`, `a['b']` or `a?.b`, however deep; undefined for any other expression. */
function memberAccess(node: ts.Node): string | undefined {
  if (ts.isIdentifier(node)) return node.text;
  if (ts.isPropertyAccessExpression(node)) return joined(node.expression, node.name.text);
  if (ts.isElementAccessExpression(node) && ts.isStringLiteralLike(node.argumentExpression)) {
    return joined(node.expression, node.argumentExpression.text);
  }
  return undefined;
}

function joined(object: ts.Expression, member: string): string | undefined {
  const owner = memberAccess(object);
  return owner === undefined ? undefined : `${owner}.${member}`;
}
