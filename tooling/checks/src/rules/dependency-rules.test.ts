import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { plantTree } from '../test/plant-tree.js';
import { REPOSITORY_ROOT } from '../test/repository-root.js';
import { runTool } from '../test/run-tool.js';

const LAYERS = join(REPOSITORY_ROOT, '.dependency-cruiser.mjs');
const FOLDERS = join(REPOSITORY_ROOT, '.dependency-cruiser.folders.mjs');

/** A small workspace that obeys every rule, including the imports that the rules allow as exceptions. */
const SOUND: Record<string, string> = {
  'package.json': JSON.stringify({ name: 'root', type: 'module', devDependencies: { vitest: '1' } }),
  'tsconfig.json': JSON.stringify({
    compilerOptions: { module: 'NodeNext', target: 'ES2023', customConditions: ['@gatehouse/source'] },
  }),
  ...workspacePackage('packages/auth-core', ['.'], ['zod', '@trpc/client']),
  'packages/auth-core/src/index.ts':
    "import { z } from 'zod';\nimport 'node:crypto';\nexport const token = z;\n",
  'packages/auth-core/src/token.test.ts':
    "import 'node:fs';\nimport { it } from 'vitest';\nimport { token } from './index.js';\nit('', () => token);\n",
  ...workspacePackage('packages/db', ['.'], ['drizzle-orm', 'mysql2']),
  'packages/db/src/index.ts': "import 'drizzle-orm';\nimport 'mysql2';\nexport const find = 1;\n",
  ...workspacePackage('packages/runtime', ['.'], ['pino']),
  'packages/runtime/src/index.ts': "import 'pino';\nexport const log = 1;\n",
  ...workspacePackage('packages/http', ['.'], ['express']),
  'packages/http/src/index.ts':
    "import 'express';\nimport { log } from '@gatehouse/runtime';\nexport const http = log;\n",
  ...workspacePackage(
    'packages/features',
    ['.', './member/staff/ban', './deployment/run'],
    ['drizzle-orm', 'mysql2', 'express', 'pino', 'passport', 'stripe'],
  ),
  'packages/features/src/access/directory.ts': 'export const directory = 1;\n',
  'packages/features/src/app/guard.ts':
    "import { directory } from '../access/directory.js';\nexport const guard = directory;\n",
  'packages/features/src/social/sign-in.ts':
    "import 'passport';\nimport { guard } from '../app/guard.js';\nexport const signIn = guard;\n",
  'packages/features/src/billing/pay.ts': "import 'stripe';\nexport const pay = 1;\n",
  'packages/features/src/member/staff/ban.ts': 'export const ban = 1;\n',
  'packages/features/src/deployment/run.ts':
    "import { pay } from '../billing/pay.js';\nimport { signIn } from '../social/sign-in.js';\nexport const run = [pay, signIn];\n",
  'packages/features/src/index.ts':
    "import { http } from '@gatehouse/http';\nimport { token } from '@gatehouse/auth-core';\nimport { find } from '@gatehouse/db';\nexport const kit = [http, token, find];\n",
  ...workspacePackage('packages/testkit', ['.'], ['mysql2']),
  'packages/testkit/src/index.ts':
    "import 'mysql2';\nimport { kit } from '@gatehouse/features';\nexport const world = kit;\n",
  ...workspacePackage('packages/client-sdk', ['./main'], ['@trpc/client', 'zod']),
  'packages/client-sdk/src/main.ts':
    "import { createTRPCClient } from '@trpc/client';\nimport type { Router } from '@gatehouse/api-main/router';\nexport const client = (router: Router) => [router, createTRPCClient];\n",
  ...workspacePackage('apps/api-main', ['./app', './router'], ['zod', 'express'], ['fast-check']),
  'apps/api-main/src/main.ts': "import './app.js';\n",
  'apps/api-main/src/app.ts':
    "import { kit } from '@gatehouse/features';\nimport { router } from './router.js';\nexport const app = [kit, router];\n",
  'apps/api-main/src/router.ts': 'export const router = 1;\nexport type Router = typeof router;\n',
  'apps/api-main/src/app.test.ts':
    "import { world } from '@gatehouse/testkit';\nimport { app } from './app.js';\nimport 'fast-check';\nexport const both = [world, app];\n",
  ...workspacePackage('packages/ui', ['./parts'], []),
  'packages/ui/src/parts.ts': 'export const button = 1;\n',
  ...workspacePackage('packages/screens', ['./asked'], []),
  'packages/screens/src/asked.ts':
    "import { client } from '@gatehouse/client-sdk/main';\nimport { button } from '@gatehouse/ui/parts';\nexport const asked = [client, button];\n",
  ...workspacePackage('apps/portal', [], []),
  'apps/portal/src/signed-out/sign-in.tsx':
    "import { asked } from '@gatehouse/screens/asked';\nimport { client } from '@gatehouse/client-sdk/main';\nimport { button } from '@gatehouse/ui/parts';\nexport const screen = [asked, client, button];\n",
  'apps/portal/src/signed-out/sign-in.test.ts':
    "import { app } from '@gatehouse/api-main/app';\nexport const served = app;\n",
  ...workspacePackage('apps/api-admin', ['./router'], ['zod']),
  'apps/api-admin/src/router.ts': "import { find } from '@gatehouse/db';\nexport const router = find;\n",
  'apps/api-admin/src/main.ts':
    "import './router.js';\nimport '@gatehouse/features/member/staff/ban';\nimport '@gatehouse/features/deployment/run';\n",
  ...workspacePackage('tooling/cli', ['./main'], []),
  'tooling/cli/src/main.ts': "import { find } from '@gatehouse/db';\nexport const command = find;\n",
  ...Object.fromEntries(
    [
      'zod',
      'express',
      'drizzle-orm',
      'mysql2',
      '@trpc/client',
      'fast-check',
      'left-pad',
      'vitest',
      'pino',
      'passport',
      'stripe',
    ].flatMap((name) => [
      [`node_modules/${name}/package.json`, JSON.stringify({ name, type: 'module', exports: './index.js' })],
      [`node_modules/${name}/index.js`, 'export const z = 1, createTRPCClient = 1, it = 1;\n'],
    ]),
  ),
};

/** For each rule, files that break only that rule. */
const VIOLATIONS: Record<string, Record<string, string>> = {
  'no-cycle': {
    'packages/features/src/back.ts':
      "import { cycle } from './cycle.js';\nexport const back = () => cycle;\n",
    'packages/features/src/type-back.ts':
      "import type { Cycle } from './type-cycle.js';\nexport interface Back { a: Cycle }\n",
  },
  'no-orphan': { 'packages/features/src/lonely.ts': 'export const lonely = 1;\n' },
  resolvable: {
    'apps/api-main/src/past-exports.ts':
      "import { find } from '@gatehouse/db/src/index.js';\nexport const a = find;\n",
    'apps/api-main/src/absent.ts': "import { find } from './find-nothing.js';\nexport const a = find;\n",
  },
  'declared-dependency': {
    'apps/api-main/src/undeclared.ts': "import { z } from 'left-pad';\nexport const a = z;\n",
  },
  'no-development-dependency-in-production': {
    'apps/api-main/src/development.ts': "import { z } from 'fast-check';\nexport const a = z;\n",
  },
  'packages-by-name': {
    'apps/api-main/src/relative.ts':
      "import { find } from '../../../packages/db/src/index.js';\nexport const a = find;\n",
    'packages/testkit/src/relative.ts':
      "import { app } from '../../../apps/api-main/src/app.js';\nexport const a = app;\n",
  },
  'drizzle-only-in-db': {
    'packages/features/src/sql.ts': "import 'drizzle-orm';\nexport const a = 1;\n",
    'packages/features/src/sql-type.ts': "import type { z } from 'drizzle-orm';\nexport type A = typeof z;\n",
  },
  'drivers-only-in-db': { 'packages/features/src/driver.ts': "import 'mysql2';\nexport const a = 1;\n" },
  'auth-core-is-pure': {
    'packages/auth-core/src/file.ts':
      "import { readFileSync } from 'node:fs';\nexport const a = readFileSync;\n",
    'packages/auth-core/src/process.ts': "import process from 'node:process';\nexport const a = process;\n",
    'packages/auth-core/src/socket.ts': "import { request } from 'http';\nexport const a = request;\n",
    'packages/auth-core/src/framework.ts': "import '@trpc/client';\nexport const a = 1;\n",
    'packages/auth-core/src/database.ts': "import { find } from '@gatehouse/db';\nexport const a = find;\n",
  },
  'db-stands-alone': {
    'packages/db/src/upwards.ts': "import { token } from '@gatehouse/auth-core';\nexport const a = token;\n",
  },
  'runtime-knows-no-feature': {
    'packages/runtime/src/upwards.ts': "import { http } from '@gatehouse/http';\nexport const a = http;\n",
  },
  'http-knows-no-feature': {
    'packages/http/src/upwards.ts': "import { kit } from '@gatehouse/features';\nexport const a = kit;\n",
  },
  'features-below-apps': {
    'packages/features/src/upwards.ts':
      "import { router } from '@gatehouse/api-admin/router';\nexport const a = router;\n",
  },
  'nobody-needs-deployment': {
    'packages/features/src/social/deployed.ts':
      "import { run } from '../deployment/run.js';\nexport const a = run;\n",
  },
  'access-knows-no-call': {
    'packages/features/src/access/calling.ts':
      "import { guard } from '../app/guard.js';\nexport const a = guard;\n",
  },
  'app-below-features': {
    'packages/features/src/app/paying.ts':
      "import { pay } from '../billing/pay.js';\nexport const a = pay;\n",
  },
  'main-offers-nothing-of-staff': {
    'apps/api-main/src/ban.ts':
      "import { ban } from '@gatehouse/features/member/staff/ban';\nexport const a = ban;\n",
  },
  'social-owns-passport': {
    'packages/features/src/billing/strategy.ts': "import 'passport';\nexport const a = 1;\n",
  },
  'billing-owns-its-providers': {
    'packages/features/src/social/charge.ts': "import 'stripe';\nexport const a = 1;\n",
  },
  'http-owns-express': {
    'packages/features/src/app/server.ts': "import 'express';\nexport const a = 1;\n",
  },
  'runtime-owns-drivers': {
    'packages/features/src/app/logger.ts': "import 'pino';\nexport const a = 1;\n",
  },
  'apps-apart': {
    'apps/api-main/src/neighbour.ts':
      "import { router } from '@gatehouse/api-admin/router';\nexport const a = router;\n",
    'apps/api-main/src/neighbour.test.ts':
      "import type { router } from '@gatehouse/api-admin/router';\nexport type A = typeof router;\n",
  },
  'pages-use-the-published-client': {
    'apps/portal/src/private-call.ts': "import { kit } from '@gatehouse/features';\nexport const a = kit;\n",
  },
  'screens-know-no-app': {
    'packages/screens/src/wise.ts': "import { kit } from '@gatehouse/features';\nexport const a = kit;\n",
  },
  'ui-knows-no-procedure': {
    'packages/ui/src/calling.ts':
      "import { client } from '@gatehouse/client-sdk/main';\nexport const a = client;\n",
  },
  'tooling-on-top': {
    'apps/api-main/src/tool.ts':
      "import { command } from '@gatehouse/cli/main';\nexport const a = command;\n",
  },
  'no-test-code-in-production': {
    'apps/api-main/src/kit.ts': "import { world } from '@gatehouse/testkit';\nexport const a = world;\n",
    'apps/api-main/src/borrowed.ts': "import { both } from './app.test.js';\nexport const a = both;\n",
    'tooling/cli/src/kit.ts': "import { world } from '@gatehouse/testkit';\nexport const a = world;\n",
  },
  'client-sdk-is-small': {
    'packages/client-sdk/src/heavy.ts': "import { z } from 'zod';\nexport const a = z;\n",
    'packages/client-sdk/src/server.ts':
      "import { router } from '@gatehouse/api-main/router';\nexport const a = router;\n",
  },
  'client-sdk-takes-contract-types': {
    'packages/client-sdk/src/table.ts':
      "import type { find } from '@gatehouse/db';\nexport type A = typeof find;\n",
    'packages/client-sdk/src/inside.ts':
      "import type { app } from '@gatehouse/api-main/app';\nexport type A = typeof app;\n",
  },
};

/** The other files of the cycles. A cycle is reported once, for its first module. */
const OTHER_HALVES: Record<string, string> = {
  'packages/features/src/cycle.ts': "import { back } from './back.js';\nexport const cycle = () => back;\n",
  'packages/features/src/type-cycle.ts':
    "import type { Back } from './type-back.js';\nexport type Cycle = Back[];\n",
};

const report = z.object({
  summary: z.object({
    violations: z.array(z.object({ from: z.string(), rule: z.object({ name: z.string() }) })),
  }),
});

const loadedConfig = z.object({
  default: z.object({
    forbidden: z.array(z.object({ name: z.string(), severity: z.string(), comment: z.string() })),
  }),
});

function violationsIn(files: Readonly<Record<string, string>>, config = LAYERS): string[] {
  const packages = Object.keys(files).filter((path) =>
    /^(apps|packages|tooling)\/[^/]+\/package\.json$/.test(path),
  );
  const links = packages.map((path): [link: string, target: string] => {
    const [layer = '', name = ''] = path.split('/');
    return [`node_modules/@gatehouse/${name}`, `../../${layer}/${name}`];
  });
  using tree = plantTree(files, Object.fromEntries(links));
  const output = runTool(
    'depcruise',
    ['--config', config, '--output-type', 'json', 'apps', 'packages', 'tooling'],
    tree.root,
  );
  const { violations } = report.parse(JSON.parse(output)).summary;
  return violations
    .map(({ rule, from }) => `${rule.name}: ${from}`)
    .sort((one, other) => (one < other ? -1 : 1));
}

describe('the dependency rules', () => {
  it('find nothing in a sound workspace', () => {
    expect(violationsIn(SOUND)).toEqual([]);
  });

  it('find every planted violation, each under its own rule', () => {
    const planted = Object.entries(VIOLATIONS).flatMap(([rule, files]) =>
      Object.keys(files).map((path) => `${rule}: ${path}`),
    );
    const found = violationsIn({
      ...SOUND,
      ...OTHER_HALVES,
      ...Object.fromEntries(Object.values(VIOLATIONS).flatMap((files) => Object.entries(files))),
    });
    expect([...new Set(found)]).toEqual(planted.sort((one, other) => (one < other ? -1 : 1)));
  });

  it('find folders that need each other, but not by way of a test', () => {
    const circle = {
      'packages/features/src/social/charge.ts':
        "import { pay } from '../billing/pay.js';\nexport const charge = pay;\n",
      'packages/features/src/billing/profile.ts':
        "import { signIn } from '../social/sign-in.js';\nexport const profile = signIn;\n",
    };
    const [one, other] = Object.entries(circle).map(([path, text]) => ({ [path]: text }));
    expect(violationsIn({ ...SOUND, ...one }, FOLDERS)).toEqual([]);
    expect(
      violationsIn(
        {
          ...SOUND,
          ...one,
          'packages/features/src/billing/pay.test.ts': Object.values(other ?? {}).join(''),
        },
        FOLDERS,
      ),
    ).toEqual([]);
    expect(violationsIn({ ...SOUND, ...circle }, FOLDERS)).toContain(
      'folders-acyclic: packages/features/src/billing',
    );
  });

  it('are all planted here, are errors, and say what to do instead', async () => {
    const { forbidden } = loadedConfig.parse(await import(pathToFileURL(LAYERS).href)).default;
    expect(forbidden.map((rule) => rule.name)).toEqual(Object.keys(VIOLATIONS));
    for (const rule of forbidden) {
      expect(rule.severity, rule.name).toBe('error');
      expect(rule.comment.length, rule.name).toBeGreaterThan(40);
    }
  });
});

function workspacePackage(
  folder: string,
  entries: readonly string[],
  dependencies: readonly string[],
  devDependencies: readonly string[] = [],
): Record<string, string> {
  const versions = (names: readonly string[]) => Object.fromEntries(names.map((name) => [name, '*']));
  const ours = [
    'auth-core',
    'db',
    'runtime',
    'http',
    'features',
    'simulator',
    'client-sdk/main',
    'ui/parts',
    'api-main',
    'api-admin',
    'cli',
  ];
  const manifest = {
    name: `@gatehouse/${folder.split('/')[1]}`,
    type: 'module',
    exports: Object.fromEntries(
      entries.map((entry) => [
        entry,
        {
          '@gatehouse/source': `./src/${entry === '.' ? 'index' : entry.slice(2)}.ts`,
          default: './dist/none.js',
        },
      ]),
    ),
    dependencies: versions([...dependencies, ...ours.map((name) => `@gatehouse/${name.split('/')[0]}`)]),
    devDependencies: versions([...devDependencies, '@gatehouse/testkit']),
  };
  return { [`${folder}/package.json`]: JSON.stringify(manifest) };
}
