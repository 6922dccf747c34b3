import { realpathSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { dirname, join, relative, sep } from 'node:path';
import type { Plugin } from 'rolldown';

/** Other entries of a package may be only for bundlers, and not for Node. */
export const AS_NODE_DOES = {
  extensionAlias: { '.js': ['.ts', '.js'] },
  conditionNames: ['node', 'import', 'default'],
  mainFields: ['main'],
};

/**
 * Packages that are joined too: ES modules without dependencies on other packages, of which a service needs a part. Loaded from
 * `node_modules`, they would take 200 modules and their texts.
 */
const JOINED_PACKAGES: ReadonlySet<string> = new Set([
  '@trpc/server',
  'drizzle-orm',
  'lru-cache',
  'uqr',
  'zod',
]);

/** The package name of a specifier, without the path after it. */
const PACKAGE = /^(@[^/]+\/[^/]+|[^./@][^/]*)/;

const FOR_ITS_EFFECT = /^import\s*['"]/m;

/**
 * What modules need to know once they are in one file: where their package's own files are, and where its dependencies are.
 * @param outDir the folder of the joined file
 */
export function joinedModules(outDir: string): Plugin {
  return {
    name: 'joined-modules',

    async resolveId(specifier, importer, options) {
      const name = PACKAGE.exec(specifier)?.[1];
      if (importer === undefined || name === undefined || isBuiltin(specifier)) return null;
      if (name.startsWith('@gatehouse/') || JOINED_PACKAGES.has(name)) return null;
      if (isOfJoinedPackage(importer)) {
        return this.error(
          `${importer} imports ${specifier}: a package that is joined must not depend on another`,
        );
      }
      const found = await this.resolve(specifier, importer, { ...options, skipSelf: true });
      if (!found) return this.error(`${importer} imports ${specifier}, which is not installed`);
      const installed = join(packageOf(importer), 'node_modules', name);
      const id = join(installed, relative(realpathSync(installed), found.id));
      return { id, external: 'relative' };
    },

    transform(code, id) {
      if (isOurs(id) && FOR_ITS_EFFECT.test(code)) {
        return this.error(`${id} imports a module for its effect alone, which would be left out`);
      }
      if (!code.includes('import.meta.url')) return null;
      const path = relative(outDir, id).split(sep).join('/');
      const itsUrl = `new URL(${JSON.stringify(path)}, import.meta.url).href`;
      // Lines do not change, so the source map stays correct.
      return { code: code.replaceAll('import.meta.url', itsUrl), map: null };
    },
  };
}

/** Whether a module belongs to the repository, not to an installed package. */
export function isOurs(module: string): boolean {
  return !module.includes(join(sep, 'node_modules', sep));
}

function isOfJoinedPackage(module: string): boolean {
  return [...JOINED_PACKAGES].some((name) => module.includes(join(sep, 'node_modules', name, sep)));
}

/** The folder of the package of one of our modules: the part of its path before its sources or its build. */
function packageOf(module: string): string {
  const folder = dirname(module);
  const [before] = folder.split(/[/\\](?:src|dist)(?:[/\\]|$)/);
  return before ?? folder;
}
