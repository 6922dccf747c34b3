import { derivedRows } from '@gatehouse/http/rest/procedure-rows';
import type { RestRow } from '@gatehouse/http/rest/route';
import { listProcedures } from '@gatehouse/http/trpc/list-procedures';
import { describeRule } from '@gatehouse/http/trpc/procedure-rule';
import ts from 'typescript';

const RECORD = 'TRPCDecorateCreateRouterOptions';

/**
 * Puts a procedure's description above its declaration, where editors look for it. The record of procedures replaces the helper
 * that computes it, because it is computed already: each consumer's compiler would otherwise process every procedure again.
 * @param declaration the text of a `router.d.ts`
 * @param descriptions by the name of the procedure, as in `member.list`
 * @throws Error for a procedure without a description
 */
export function describeRouter(declaration: string, descriptions: ReadonlyMap<string, string>): string {
  const file = ts.createSourceFile('router.d.ts', declaration, ts.ScriptTarget.Latest, true);
  const edits: { readonly from: number; readonly to: number; readonly text: string }[] = [];

  function visit(node: ts.Node): void {
    if (ts.isImportTypeNode(node) || ts.isTypeReferenceNode(node)) {
      const name = ts.isImportTypeNode(node) ? node.qualifier : node.typeName;
      const [record] = node.typeArguments ?? [];
      if (name?.getText(file).endsWith(RECORD) && record && ts.isTypeLiteralNode(record)) {
        edits.push({ from: node.getStart(file), to: record.getStart(file), text: '' });
        describe(record, '');
        edits.push({ from: record.getEnd(), to: node.getEnd(), text: '' });
        return;
      }
    }
    ts.forEachChild(node, visit);
  }

  function describe(record: ts.TypeLiteralNode, prefix: string): void {
    for (const member of record.members) {
      if (!ts.isPropertySignature(member)) continue;
      const name = `${prefix}${member.name.getText(file)}`;
      if (member.type && ts.isTypeLiteralNode(member.type)) describe(member.type, `${name}.`);
      else {
        const at = member.getStart(file);
        edits.push({ from: at, to: at, text: commentOf(name, indentOf(member)) });
      }
    }
  }

  function indentOf(member: ts.Node): string {
    return ' '.repeat(file.getLineAndCharacterOfPosition(member.getStart(file)).character);
  }

  function commentOf(name: string, indent: string): string {
    const text = descriptions.get(name);
    if (text === undefined) throw new Error(`Nothing describes ${name}`);
    const lines = text.replaceAll('*/', '*\\/').split('\n');
    const body = lines.map((line) => `${indent} *${line === '' ? '' : ` ${line}`}\n`).join('');
    return `/**\n${body}${indent} */\n${indent}`;
  }

  visit(file);
  return edits
    .toSorted((one, other) => other.from - one.from)
    .reduce((text, edit) => text.slice(0, edit.from) + edit.text + text.slice(edit.to), declaration);
}

/** OpenAPI's description of each procedure in a few lines: its summary, who may call it, and its other paths. */
export function procedureDescriptions(
  router: Parameters<typeof listProcedures>[0],
  routes: readonly RestRow<never>[],
): ReadonlyMap<string, string> {
  const procedures = listProcedures(router);
  const rows = derivedRows(procedures, routes);
  return new Map(
    procedures.map(({ name, rule }) => {
      const summary = rows.find(({ call }) => call === name)?.about.summary ?? '';
      const paths = routes
        .filter((row) => row.kind === 'procedure' && row.call === name)
        .map(({ methods, path }) => `\`${methods.join(' or ')} ${path}\``);
      const also = paths.length === 0 ? '' : ` Also ${paths.join(', ')}.`;
      return [name, `${summary}.\n\nOpen to ${describeRule(rule)}.${also}`];
    }),
  );
}
