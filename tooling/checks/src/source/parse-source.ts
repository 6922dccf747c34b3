import ts from 'typescript';

/** The syntax of one TypeScript or JavaScript file, without types. */
export function parseSource(path: string, text: string): ts.SourceFile {
  return ts.createSourceFile(path, text, ts.ScriptTarget.ES2023, true);
}

/** Whether `parseSource` understands the file. */
export function isSourcePath(path: string): boolean {
  return /\.[cm]?[jt]sx?$/.test(path) && !path.endsWith('.d.ts');
}

/** The node and all its descendants, the node first. */
export function* nodesOf(node: ts.Node): Generator<ts.Node> {
  yield node;
  const children: ts.Node[] = [];
  ts.forEachChild(node, (child) => void children.push(child));
  for (const child of children) yield* nodesOf(child);
}
