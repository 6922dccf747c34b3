import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plantTree } from '../test/plant-tree.js';
import { REPOSITORY_ROOT } from '../test/repository-root.js';
import { runTool } from '../test/run-tool.js';

const own = (path: string) => readFileSync(join(REPOSITORY_ROOT, path), 'utf8');

const report = z.object({
  diagnostics: z.array(z.object({ code: z.string(), filename: z.string() })),
});

/** A package whose functions another one calls. Their types resolve only with the source condition. */
const WORKSPACE: Record<string, string> = {
  '.oxlintrc.json': own('.oxlintrc.json'),
  'tsconfig.json': own('tsconfig.json'),
  'tooling/typescript/base.json': own('tooling/typescript/base.json'),
  'package.json': JSON.stringify({ name: 'root', type: 'module' }),
  'packages/db/package.json': own('packages/db/package.json'),
  'packages/db/src/index.ts': [
    'export function find(): Promise<number> { return Promise.resolve(1); }',
    "export type Transport = 'rest' | 'trpc';",
    '',
  ].join('\n'),
};

const IMPORT = "import { find, type Transport } from '@gatehouse/db';";

/** For each rule, one statement that breaks it. The first four need types of the other package. */
const STATEMENTS: Record<string, string> = {
  'typescript(no-floating-promises)': 'export function a(): void { find(); }',
  'typescript(no-misused-promises)':
    'export const a = (list: number[]) => { list.forEach(async () => { await find(); }); };',
  'typescript(await-thenable)':
    'export async function a(): Promise<number> { const one = await find(); return await one; }',
  'typescript(switch-exhaustiveness-check)':
    "export function a(transport: Transport): number { switch (transport) { case 'rest': return 1; } return 2; }",
  'typescript(no-explicit-any)': 'export const a = (value: any): void => { void value; };',
  'typescript(no-unsafe-assignment)': "export function a(): void { const b = JSON.parse('1'); void b; }",
  'typescript(no-unsafe-member-access)': "export const a = (): void => { void JSON.parse('1').b; };",
  'typescript(no-unsafe-call)': "export const a = (): void => { JSON.parse('1')(); };",
  'typescript(no-unsafe-return)': "export const a = (): number => JSON.parse('1');",
  'typescript(no-unsafe-argument)': "export const a = (): number => Math.abs(JSON.parse('1'));",
  'typescript(no-unsafe-type-assertion)': 'export const a = (value: unknown) => value as string;',
  'typescript(no-non-null-assertion)': 'export const a = (value?: string) => value!;',
  'typescript(only-throw-error)': "export const a = () => { throw 'a'; };",
  'eslint(eqeqeq)': 'export const a = (value: unknown) => value == 1;',
};

function rulesBroken(files: Readonly<Record<string, string>>): Map<string, string[]> {
  using tree = plantTree(
    { ...WORKSPACE, ...files },
    {
      'node_modules/@gatehouse/db': '../../packages/db',
      'node_modules/.bin': join(REPOSITORY_ROOT, 'node_modules/.bin'),
      'node_modules/oxlint-tsgolint': join(REPOSITORY_ROOT, 'node_modules/oxlint-tsgolint'),
      'node_modules/@types': join(REPOSITORY_ROOT, 'node_modules/@types'),
    },
  );
  const output = runTool('oxlint', ['--format', 'json', 'apps', 'packages'], tree.root);
  const found = new Map(Object.keys(files).map((path) => [path, [] as string[]]));
  for (const { code, filename } of report.parse(JSON.parse(output)).diagnostics)
    found.get(filename)?.push(code);
  return found;
}

describe('the lint rules', () => {
  it('see the types of other packages from their sources, and find every planted fault', () => {
    const planted = Object.entries(STATEMENTS).map(([rule, statement], index) => ({
      rule,
      path: `apps/api-main/src/planted-${index}.ts`,
      text: `${IMPORT}\n${statement}\nexport const used = (transport: Transport) => [transport, find];\n`,
    }));
    const found = rulesBroken(Object.fromEntries(planted.map(({ path, text }) => [path, text])));
    for (const { path, rule } of planted) expect(found.get(path), path).toContain(rule);
  });

  it('find faults in tests as well', () => {
    const path = 'apps/api-main/src/planted.test.ts';
    expect(rulesBroken({ [path]: `${IMPORT}\nfind();\nexport type A = Transport;\n` }).get(path)).toEqual([
      'typescript(no-floating-promises)',
    ]);
  });

  it('keep auth-core from the process, the network, the console and timers, and only auth-core', () => {
    const expressions = [
      'process.exit()',
      "fetch('http://127.0.0.1')",
      "console.log('a')",
      'setTimeout(() => 1, 5)',
    ];
    const files = expressions.flatMap((expression, index) =>
      ['auth-core', 'db'].map((name): [path: string, text: string] => [
        `packages/${name}/src/planted-${index}.ts`,
        `export const a = () => { void ${expression}; };\n`,
      ]),
    );
    const found = rulesBroken(Object.fromEntries(files));
    for (const [path] of files) {
      const isRefused = found.get(path)?.includes('eslint(no-restricted-globals)');
      expect(isRefused, path).toBe(path.startsWith('packages/auth-core/'));
    }
  });
});
