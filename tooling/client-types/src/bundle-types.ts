import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { basename } from 'node:path';
import { type Plugin, rollup } from 'rollup';
import { dts } from 'rollup-plugin-dts';
import { describeRouter } from './describe-router.js';

const OURS = /^@gatehouse\//;
const PUBLISHED = /^(@trpc\/(client|server)(\/|$)|react$)/;

/** A router's declaration names internals of the service; its context would bring in the whole schema. */
const ROUTER = /\/apps\/([^/]+)\/dist\/router\.d\.ts$/;
const INSIDE_THE_SERVICE = /import\("@gatehouse\/(?:features|http)\/[a-z/-]+"\)\.(Context|ProcedureMeta)\b/g;

/** tRPC's declarations name `AsyncDisposable`, which a consumer's libraries may lack. */
const LIBRARY_OF_TRPC = '/// <reference lib="esnext.disposable" />';

/**
 * Bundles declarations with the workspace declarations they need, and nothing else.
 * @param descriptions the text above each procedure, by the app whose router has it
 * @returns the text of each file
 * @throws Error if the bundle imports anything but tRPC and React
 */
export async function bundleTypes(
  entries: readonly string[],
  descriptions: Readonly<Record<string, ReadonlyMap<string, string>>> = {},
): Promise<Map<string, string>> {
  const bundle = await rollup({
    input: Object.fromEntries(entries.map((path) => [basename(path, '.d.ts'), path])),
    external: (id) => !OURS.test(id) && !/^[./]/.test(id),
    treeshake: { moduleSideEffects: false },
    plugins: [ofTheWorkspace(descriptions), dts()],
    onwarn(warning) {
      throw new Error(warning.message);
    },
  });
  const { output } = await bundle.generate({
    format: 'es',
    entryFileNames: '[name].d.ts',
    chunkFileNames: 'shared.d.ts',
    banner: LIBRARY_OF_TRPC,
  });
  await bundle.close();
  const files = new Map<string, string>();
  for (const chunk of output) {
    if (chunk.type !== 'chunk') throw new Error(`${chunk.fileName} is no declaration`);
    const own = new Set(output.map(({ fileName }) => fileName));
    const foreign = [...chunk.imports, ...chunk.dynamicImports].filter(
      (name) => !PUBLISHED.test(name) && !own.has(name),
    );
    if (foreign.length > 0) throw new Error(`The types would import ${foreign.join(', ')}`);
    files.set(basename(chunk.fileName), chunk.code);
  }
  return files;
}

/** Finds declarations of workspace packages, which are built first, and describes their procedures. */
function ofTheWorkspace(descriptions: Readonly<Record<string, ReadonlyMap<string, string>>>): Plugin {
  return {
    name: 'of-the-workspace',
    resolveId(source, importer) {
      if (!OURS.test(source) || importer === undefined) return null;
      return createRequire(importer).resolve(source).replace(/\.js$/, '.d.ts');
    },
    async load(id) {
      const [, app] = ROUTER.exec(id) ?? [];
      if (app === undefined) return null;
      const text = (await readFile(id, 'utf8')).replaceAll(INSIDE_THE_SERVICE, 'object');
      return describeRouter(text, descriptions[app] ?? new Map());
    },
  };
}
