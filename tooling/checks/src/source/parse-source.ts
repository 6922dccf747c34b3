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

/** Every comment of a file once, in no particular order. */
export function commentsOf(source: ts.SourceFile): { offset: number; text: string }[] {
  const found = new Map<number, string>();
  const note = (range: ts.CommentRange): void => {
    found.set(range.pos, source.text.slice(range.pos, range.end));
  };
  const visit = (node: ts.Node): void => {
    const children = node.getChildren(source).filter((child) => !ts.isJSDoc(child));
    for (const child of children) visit(child);
    if (children.length > 0) return;
    for (const range of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) note(range);
    for (const range of ts.getTrailingCommentRanges(source.text, node.getEnd()) ?? []) note(range);
  };
  visit(source);
  return [...found].map(([offset, text]) => ({ offset, text }));
}
