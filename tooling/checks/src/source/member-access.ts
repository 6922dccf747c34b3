import ts from 'typescript';

/** The dotted text of `a.b`, `a['b']` or `a?.b`, however deep; undefined for any other expression. */
export function memberAccess(node: ts.Node): string | undefined {
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
