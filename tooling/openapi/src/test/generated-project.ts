import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestFolder } from '@gatehouse/testkit';

/** Runs a Node script to its end, without the environment of these tests. */
export function runNode(
  args: readonly string[],
  env: Readonly<Record<string, string>> = {},
): Promise<{ isOk: boolean; output: string }> {
  return new Promise((resolve) => {
    const options = { env: { ...process.env, NODE_OPTIONS: '', ...env }, maxBuffer: 10_000_000 };
    execFile(process.execPath, [...args], options, (error, stdout, stderr) => {
      resolve({ isOk: error === null, output: error === null ? stdout : `${stdout}${stderr}` });
    });
  });
}

const modules = fileURLToPath(new URL('../../node_modules', import.meta.url));

const tsc = join(modules, '@typescript', 'native', 'bin', 'tsc');

const TSCONFIG = {
  compilerOptions: {
    target: 'es2022',
    module: 'nodenext',
    strict: true,
    noUncheckedIndexedAccess: true,
    skipLibCheck: true,
    types: ['node'],
    outDir: 'out',
  },
  exclude: ['out', 'node_modules'],
};

/** A separate project, like that of a person who generates a client. */
export interface GeneratedProject extends AsyncDisposable {
  at(name: string): string;
  write(name: string, text: string): Promise<void>;
  /** Runs the program of a package, and fails with its output unless it ends well. */
  generate(program: string, ...args: readonly string[]): Promise<void>;
  /** The compiler's output; empty if everything compiles. */
  compile(): Promise<string>;
  /** The output of a compiled file. */
  run(name: string, ...args: readonly string[]): Promise<string>;
  /** Which lines do not compile if they follow a file. */
  refused(name: string, lines: readonly string[]): Promise<string[]>;
}

export async function createGeneratedProject(): Promise<GeneratedProject> {
  const folder = await createTestFolder();
  const at = (name: string) => join(folder.path, name);
  await symlink(modules, at('node_modules'));
  await writeFile(at('package.json'), JSON.stringify({ type: 'module' }));
  await writeFile(at('tsconfig.json'), JSON.stringify(TSCONFIG));
  const compile = async () => (await runNode([tsc, '-p', folder.path])).output;
  return {
    at,
    write: (name, text) => writeFile(at(name), text),
    async generate(program, ...args) {
      const { isOk, output } = await runNode([join(modules, program), ...args]);
      if (!isOk) throw new Error(output);
    },
    compile,
    async run(name, ...args) {
      const { isOk, output } = await runNode([at(join('out', name)), ...args]);
      if (!isOk) throw new Error(output);
      return output;
    },
    async refused(name, lines) {
      const sound = await readFile(at(name), 'utf8');
      await writeFile(at(name), `${sound}\n${lines.map((line) => `await ${line}`).join('\n')}\n`);
      const first = sound.split('\n').length + 1;
      const places = [...(await compile()).matchAll(new RegExp(`(?:^|/)${name}\\((\\d+),`, 'gm'))];
      await writeFile(at(name), sound);
      return [...new Set(places.flatMap(([, line]) => lines[Number(line) - first] ?? 'the sound part'))];
    },
    [Symbol.asyncDispose]: () => folder[Symbol.asyncDispose](),
  };
}
