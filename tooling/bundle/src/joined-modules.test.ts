import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { rolldown } from 'rolldown';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AS_NODE_DOES, joinedModules } from './joined-modules.js';

const run = promisify(execFile);
const files = {
  'apps/service/package.json': '{"type":"module"}',
  'apps/service/src/main.ts': `
    import { told } from '@gatehouse/library';
    console.log(JSON.stringify([told, import.meta.url.endsWith('/apps/service/src/main.ts')]));
  `,
  'packages/library/package.json':
    '{"name":"@gatehouse/library","type":"module","exports":"./dist/index.js"}',
  'packages/library/dist/index.js': `
    import { readFileSync } from 'node:fs';
    import outside from 'outside/deep';
    import { told as joined } from 'zod';
    export const told = [outside, joined, readFileSync(new URL('../notes.txt', import.meta.url), 'utf8')];
  `,
  'packages/library/notes.txt': 'a note',
  'store/outside/package.json':
    '{"name":"outside","exports":{"./deep":{"module":"./for-bundlers.js","default":"./lib/deep.cjs"}}}',
  'store/outside/lib/deep.cjs': "module.exports = 'from outside';",
  'store/node_modules/zod/package.json': '{"name":"zod","type":"module","exports":"./index.js"}',
  'store/node_modules/zod/index.js': "export const told = 'joined';",
};
let folder = '';

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'joined-'));
  for (const [path, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await writeFile(join(folder, path), text);
  }
  const links = {
    'apps/service/node_modules/@gatehouse/library': 'packages/library',
    'packages/library/node_modules/outside': 'store/outside',
    'packages/library/node_modules/zod': 'store/node_modules/zod',
  };
  for (const [path, target] of Object.entries(links)) {
    await mkdir(dirname(join(folder, path)), { recursive: true });
    await symlink(join(folder, target), join(folder, path));
  }
});
afterAll(() => rm(folder, { recursive: true }));

const joined = async () => {
  const outDir = join(folder, 'apps/service/dist');
  const bundle = await rolldown({
    input: join(folder, 'apps/service/src/main.ts'),
    platform: 'node',
    resolve: AS_NODE_DOES,
    plugins: [joinedModules(outDir)],
  });
  const { output } = await bundle.write({ dir: outDir, format: 'esm' });
  await bundle.close();
  return { program: join(outDir, 'main.js'), imports: output[0].imports };
};

it('the bundler joins our packages and a few of npm, and leaves other dependencies to the packages that name them', async () => {
  const { program, imports } = await joined();
  expect(imports).toEqual(['node:fs', '../../../packages/library/node_modules/outside/lib/deep.cjs']);
  const { stdout } = await run(process.execPath, [program]);
  expect(JSON.parse(stdout)).toEqual([['from outside', 'joined', 'a note'], true]);
});

it('the bundler refuses to join a package that depends on another', async () => {
  const joinedPackage = join(folder, 'store/node_modules/zod/index.js');
  await writeFile(joinedPackage, "export { default as told } from 'outside/deep';");
  await expect(joined()).rejects.toThrow('a package that is joined must not depend on another');
});

it('the bundler refuses an import for its side effect, which would be dropped', async () => {
  const library = join(folder, 'packages/library/dist/index.js');
  await writeFile(library, "import 'node:fs';\nexport const told = 1;");
  await expect(joined()).rejects.toThrow('imports a module for its effect alone');
});

it('the bundler refuses a dependency that is not installed', async () => {
  await writeFile(join(folder, 'apps/service/src/main.ts'), "import { x } from 'nowhere-to-be-found'; x();");
  await expect(joined()).rejects.toThrow('nowhere-to-be-found, which is not installed');
});
