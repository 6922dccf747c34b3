import { readFile } from 'node:fs/promises';
import ts from 'typescript';

/** The procedures of a published client, by name, each with the type of its answer as declared. */
export async function publishedProcedures(declarations: string): Promise<ReadonlyMap<string, ts.TypeNode>> {
  const text = await readFile(declarations, 'utf8');
  const found = new Map<string, ts.TypeNode>();
  const visit = (node: ts.Node, path: readonly string[]): void => {
    if (ts.isPropertySignature(node)) {
      const name = [...path, node.name.getText()];
      const declared =
        node.type && ts.isTypeReferenceNode(node.type) ? node.type.typeArguments?.[0] : undefined;
      const output = declared === undefined ? undefined : fieldsOf(declared).get('output')?.type;
      if (output !== undefined) found.set(name.join('.'), output);
      else ts.forEachChild(node, (child) => visit(child, name));
    } else if (!ts.isInterfaceDeclaration(node)) ts.forEachChild(node, (child) => visit(child, path));
  };
  const router = ts
    .createSourceFile('router.d.ts', text, ts.ScriptTarget.ES2022, true)
    .statements.filter((statement) => ts.isVariableStatement(statement));
  for (const statement of router) visit(statement, []);
  return found;
}

function fieldsOf(type: ts.TypeNode): ReadonlyMap<string, ts.PropertySignature> {
  const members = ts.isTypeLiteralNode(type)
    ? type.members.filter((each) => ts.isPropertySignature(each))
    : [];
  return new Map(members.map((each) => [each.name.getText(), each]));
}

/** Where a value is not what a published type says; fields that the type does not have are welcome. */
export function flawsOf(value: unknown, type: ts.TypeNode, at = 'it'): readonly string[] {
  if (ts.isTypeLiteralNode(type)) {
    if (typeof value !== 'object' || value === null) return [`${at} is no object`];
    return [...fieldsOf(type)].flatMap(([name, field]) => {
      if (field.type === undefined) return [];
      if (Object.hasOwn(value, name)) return flawsOf(Reflect.get(value, name), field.type, `${at}.${name}`);
      return field.questionToken === undefined ? [`${at}.${name} is missing`] : [];
    });
  }
  if (ts.isArrayTypeNode(type)) {
    if (!Array.isArray(value)) return [`${at} is no array`];
    return value.flatMap((each: unknown, index) => flawsOf(each, type.elementType, `${at}[${index}]`));
  }
  if (ts.isUnionTypeNode(type)) {
    const flaws = type.types.map((each) => flawsOf(value, each, at));
    return flaws.some(({ length }) => length === 0) ? [] : flaws.flat();
  }
  if (ts.isTypeReferenceNode(type) && type.typeName.getText() === 'Record') {
    const [, of] = type.typeArguments ?? [];
    if (typeof value !== 'object' || value === null || of === undefined) return [`${at} is no record`];
    return Object.entries(value).flatMap(([key, each]) => flawsOf(each, of, `${at}.${key}`));
  }
  const declared = type.getText();
  if (declared === 'unknown') return [];
  const isRight = ts.isLiteralTypeNode(type)
    ? declared.replaceAll("'", '"') === JSON.stringify(value)
    : declared === typeof value;
  return isRight ? [] : [`${at} is ${JSON.stringify(value)}, not ${declared}`];
}
