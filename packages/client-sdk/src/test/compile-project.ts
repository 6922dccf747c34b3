import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { FRAMEWORKS } from './frameworks.js';

/** The compilers that consumers use. */
export const COMPILERS = {
  '5.9': 'typescript-5.9/lib/tsc.js',
  '6': 'typescript-6/lib/tsc.js',
  '7': '@typescript/native/bin/tsc',
} as const;

export type Compiler = keyof typeof COMPILERS;

export interface Compilation {
  /** The compiler's errors, one line each. */
  readonly errors: readonly string[];
  readonly instantiations: number;
  readonly milliseconds: number;
}

/** The strictest settings of the compiler. */
const STRICT = {
  target: 'ES2022',
  lib: ['ES2022', 'DOM'],
  module: 'NodeNext',
  moduleResolution: 'NodeNext',
  types: [],
  jsx: 'react-jsx',
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  declaration: true,
  outDir: 'emitted',
};

/**
 * Compiles files in their own folder of a project. By default it also checks the declarations of all packages
 * and of the language.
 */
export async function compileProject(
  project: string,
  name: string,
  files: Readonly<Record<string, string>>,
  compiler: Compiler,
  { skipLibCheck = false, ...more }: { readonly [option: string]: unknown; skipLibCheck?: boolean } = {},
): Promise<Compilation> {
  const folder = join(project, name);
  await mkdir(folder, { recursive: true });
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ compilerOptions: { ...STRICT, skipLibCheck, ...more }, files: Object.keys(files) }),
  );
  for (const [file, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, file)), { recursive: true });
    await writeFile(join(folder, file), text);
  }
  const startedMs = performance.now();
  const output = await new Promise<string>((resolve) => {
    const args = [join(FRAMEWORKS, COMPILERS[compiler]), '-p', folder, '--extendedDiagnostics'];
    execFile(process.execPath, args, { maxBuffer: 2 ** 24 }, (_error, stdout, stderr) => {
      resolve(stdout + stderr);
    });
  });
  const milliseconds = performance.now() - startedMs;
  const instantiations = /^Instantiations:\s+(\d+)/m.exec(output)?.[1];
  if (instantiations === undefined) throw new Error(`The compiler did not come to its end:\n${output}`);
  return {
    errors: output.split('\n').filter((line) => /error TS\d+/.test(line)),
    instantiations: Number(instantiations),
    milliseconds,
  };
}
