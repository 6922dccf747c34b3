import { readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { rolldown } from 'rolldown';
import { asciiOnly } from './ascii-only.js';
import { AS_NODE_DOES, isOurs, joinedModules } from './joined-modules.js';

/**
 * Joins `src/main.ts` of the current folder, and the built modules of our packages that it needs, into `dist/main.js`. Modules
 * that are imported only when they are needed get their own file beside it, `main-….js`. Except for a few, dependencies from npm
 * stay outside, and are loaded from the packages that name them.
 */
const folder = process.cwd();
const outDir = join(folder, 'dist');
for (const name of readdirSync(outDir)) if (/^main-.*\.js(\.map)?$/.test(name)) rmSync(join(outDir, name));
const bundle = await rolldown({
  input: { main: join(folder, 'src/main.ts') },
  platform: 'node',
  resolve: AS_NODE_DOES,
  // None of our modules imports another, or a dependency, for its side effect: an unused one need not be loaded.
  treeshake: { moduleSideEffects: (id, isExternal) => !isExternal && !isOurs(id) },
  plugins: [joinedModules(outDir), asciiOnly()],
});
await bundle.write({
  dir: outDir,
  format: 'esm',
  sourcemap: true,
  // The text of a program stays in memory.
  comments: false,
  entryFileNames: '[name].js',
  chunkFileNames: 'main-[name]-[hash].js',
});
await bundle.close();
