/**
 * The layers of the repository, bottom to top: auth-core and db, runtime, http, features, then the apps; client-sdk
 * knows the apps by type only, testkit serves tests, tooling serves whatever it must. Each message says what
 * to do instead.
 */

const TEST = '(\\.test\\.ts|/src/test/[^/]+\\.ts)$';
const packageOf = (...names) => `(^|/)node_modules/(${names.join('|')})(/|$)`;

/** @type {import('dependency-cruiser').IConfiguration} */
export default {
  forbidden: [
    {
      name: 'no-cycle',
      severity: 'error',
      comment:
        'Two modules that need each other are one idea, or hide a third: move what both need into a file of its own, and import that.',
      from: {},
      to: { circular: true },
    },
    {
      name: 'no-orphan',
      severity: 'error',
      comment: 'Nothing reaches this module: import it from where it is used, or delete it.',
      from: {
        orphan: true,
        pathNot: [
          TEST,
          '/src/main\\.ts$',
          '^packages/[^/]+/scripts/',
          '\\.d\\.ts$',
          '\\.config\\.ts$',
          '/browser/[^/]+\\.js$',
          // Builds of pages run it.
          '^tooling/web/src/',
          // The configuration of vitest imports them.
          '^packages/testkit/src/test-run/',
          // Documents name them.
          '^apps/portal/src/signed-(out|in)/[^/]+\\.tsx$',
        ],
      },
      to: {},
    },
    {
      name: 'resolvable',
      severity: 'error',
      comment:
        'Only what a package lists under `exports` can be imported: add the name to its src/index.ts, or the path to its exports.',
      from: {},
      to: { couldNotResolve: true },
    },
    {
      name: 'declared-dependency',
      severity: 'error',
      comment: 'Add the dependency to the package.json of the package that imports it, as "catalog:".',
      from: {},
      to: { dependencyTypes: ['npm-no-pkg', 'npm-unknown'] },
    },
    {
      name: 'no-development-dependency-in-production',
      severity: 'error',
      comment:
        'What ships may not rest on devDependencies: move the package to dependencies, or the code into a test.',
      from: { path: '^(apps|packages)/[^/]+/src/', pathNot: TEST },
      to: {
        dependencyTypes: ['npm-dev'],
        dependencyTypesNot: ['type-only', 'npm', 'npm-peer'],
        pathNot: '^(apps|packages)/',
      },
    },
    {
      name: 'packages-by-name',
      severity: 'error',
      comment:
        "Import the other package by its name (`import { findMember } from '@gatehouse/db'`), never by a relative path into it.",
      from: { path: '^(apps|packages|tooling)/([^/]+)/' },
      to: {
        path: '^(apps|packages|tooling)/',
        pathNot: '^$1/$2/',
        dependencyTypes: ['local'],
      },
    },
    {
      name: 'drizzle-only-in-db',
      severity: 'error',
      comment:
        'packages/db is the only place that knows SQL: write a query function in packages/db/src/queries that takes the handle first, and call that.',
      from: { pathNot: '^packages/db/' },
      to: { path: packageOf('drizzle-orm', 'drizzle-kit') },
    },
    {
      name: 'db-builds-its-own-statements',
      severity: 'error',
      comment:
        'Only packages/db builds statements against tables: write a query function in packages/db/src/queries, and call that. Types of columns may be imported with `import type`.',
      from: { path: '^(apps|packages|tooling)/', pathNot: '^packages/db/' },
      to: { path: '^packages/db/(src|dist)/tables/', dependencyTypesNot: ['type-only'] },
    },
    {
      name: 'drivers-only-in-db',
      severity: 'error',
      comment:
        'Databases are opened by `openDatabase` of @gatehouse/db; only testkit and the bench, which make and break servers, talk to a driver themselves.',
      from: { pathNot: '^(packages/(db|testkit)|tooling/bench)/' },
      to: { path: packageOf('mysql2', 'libsql', '@libsql/[^/]+') },
    },
    {
      name: 'auth-core-is-pure',
      severity: 'error',
      comment:
        'auth-core does no I/O and knows no framework: take the value, the time or the answer as a parameter, and let runtime, a feature or db fetch it. It may use node:crypto, zod, jsonwebtoken, crypto-js, bcrypt, tr46 and the password lists.',
      from: { path: '^packages/auth-core/src/', pathNot: TEST },
      to: {
        pathNot: [
          '^packages/auth-core/src/',
          '^(node:)?(crypto|util)$',
          // createRequire, for the password lists, since what is imported cannot be forgotten, and for the tables of tr46.
          '^(node:)?module$',
          packageOf(
            'zod',
            'jsonwebtoken',
            'crypto-js',
            'bcrypt',
            'tr46',
            '@types/(jsonwebtoken|bcrypt|node|tr46)',
            '@zxcvbn-ts/[^/]+',
          ),
        ],
      },
    },
    {
      name: 'db-stands-alone',
      severity: 'error',
      comment:
        'db is a ground layer: it knows tables and queries, not tokens, guards or HTTP. Move the decision up into a feature, and pass its result in.',
      from: { path: '^packages/db/', pathNot: TEST },
      to: { path: '^(apps|packages|tooling)/', pathNot: '^packages/db/' },
    },
    {
      name: 'runtime-knows-no-feature',
      severity: 'error',
      comment:
        'runtime is what any service needs (log, metrics, jobs, limits, mail drivers): it may import auth-core and db. Take what the feature knows as a parameter.',
      from: { path: '^packages/runtime/src/', pathNot: TEST },
      to: { path: '^(apps|packages|tooling)/', pathNot: '^packages/(runtime|auth-core|db)/' },
    },
    {
      name: 'http-knows-no-feature',
      severity: 'error',
      comment:
        'http turns requests into calls and results into answers: it may import runtime, auth-core and the error classes of db. Make it generic over what the feature hands in.',
      from: { path: '^packages/http/src/', pathNot: TEST },
      to: { path: '^(apps|packages|tooling)/', pathNot: '^packages/(http|runtime|auth-core|db)/' },
    },
    {
      name: 'features-below-apps',
      severity: 'error',
      comment:
        'Features are what both deployments share: they may import http, runtime, auth-core and db. What one needs from an app, the app hands in.',
      from: { path: '^packages/features/src/', pathNot: TEST },
      to: { path: '^(apps|packages|tooling)/', pathNot: '^packages/(features|http|runtime|auth-core|db)/' },
    },
    {
      name: 'nobody-needs-deployment',
      severity: 'error',
      comment:
        'deployment/ puts the features together for apps, testkit and tooling: a feature that needs something of it moves that into core/ or takes it as a parameter.',
      from: {
        path: '^packages/features/src/',
        pathNot: [TEST, '^packages/features/src/deployment/'],
      },
      to: { path: '^packages/features/src/deployment/' },
    },
    {
      name: 'access-knows-no-call',
      severity: 'error',
      comment:
        'core/access/ keeps the state of members and accounts and knows nothing of calls: take the value as a parameter, or move the file into core/.',
      from: { path: '^packages/features/src/core/access/', pathNot: TEST },
      to: { path: '^packages/features/src/', pathNot: '^packages/features/src/core/access/' },
    },
    {
      name: 'core-below-features',
      severity: 'error',
      comment:
        'core/ is what features are written with, and knows none of them: move what it needs into core/, or the file into the feature.',
      from: { path: '^packages/features/src/core/', pathNot: TEST },
      to: { path: '^packages/features/src/', pathNot: '^packages/features/src/core/' },
    },
    {
      name: 'main-offers-nothing-of-staff',
      severity: 'error',
      comment:
        'What is in a folder named staff is for the admin deployment alone: move what members need too into the feature itself.',
      from: { path: '^apps/api-main/src/', pathNot: TEST },
      to: { path: '^packages/features/src/.+/staff/' },
    },
    {
      name: 'social-owns-passport',
      severity: 'error',
      comment:
        'Passport and its strategies are used by social sign-in only: call what packages/features/src/social offers.',
      from: {
        path: '^(apps|packages)/',
        pathNot: [TEST, '^packages/testkit/', '^packages/features/src/(social|core/social-providers)/'],
      },
      to: { path: packageOf('passport[a-z0-9-]*') },
    },
    {
      name: 'billing-owns-its-providers',
      severity: 'error',
      comment:
        'Stripe and Paddle stand behind the billing feature: call what packages/features/src/billing offers.',
      from: {
        path: '^(apps|packages)/',
        pathNot: [TEST, '^packages/testkit/', '^packages/features/src/billing/'],
      },
      to: { path: packageOf('stripe', '@paddle/[^/]+') },
    },
    {
      name: 'http-owns-express',
      severity: 'error',
      comment:
        'Express stands behind packages/http: write a procedure, a row of the table of paths, or a raw endpoint.',
      from: { path: '^(apps|packages)/', pathNot: [TEST, '^packages/testkit/', '^packages/http/'] },
      to: { path: packageOf('express', 'cors') },
    },
    {
      name: 'runtime-owns-drivers',
      severity: 'error',
      comment:
        'Log, metrics, tracing, Redis and mail drivers stand behind packages/runtime: call what it offers.',
      from: { path: '^(apps|packages)/', pathNot: [TEST, '^packages/testkit/', '^packages/runtime/'] },
      to: {
        path: packageOf(
          'pino',
          'prom-client',
          '@opentelemetry/[^/]+',
          'ioredis',
          'nodemailer',
          'resend',
          'rate-limiter-flexible',
        ),
      },
    },
    {
      name: 'apps-apart',
      severity: 'error',
      comment: 'A deployment never imports another: move what both need into packages/features.',
      from: { path: '^apps/([^/]+)/', pathNot: [`^apps/(portal|console).*${TEST}`] },
      to: { path: '^apps/', pathNot: '^apps/$1/' },
    },
    {
      name: 'pages-use-the-published-client',
      severity: 'error',
      comment:
        'Pages call services by the client that is published, and are made of the parts in packages/ui: add what is missing to one of them.',
      from: { path: '^apps/(portal|console)/src/', pathNot: TEST },
      to: { path: '^(apps|packages|tooling)/', pathNot: '^(apps/$1|packages/(ui|client-sdk))/' },
    },
    {
      name: 'ui-knows-no-app',
      severity: 'error',
      comment:
        'What screens are made of is the same in every app: take what one of them has, such as its client or a path, as a property.',
      from: { path: '^packages/ui/src/', pathNot: TEST },
      to: { path: '^(apps|packages|tooling)/', pathNot: '^packages/(ui|client-sdk)/' },
    },
    {
      name: 'parts-know-no-service',
      severity: 'error',
      comment:
        'Parts know neither services nor their client: take what was answered, or what is to be called, as a property.',
      from: { path: '^packages/ui/src/(call|chart|form|messages|parts|table)/', pathNot: TEST },
      to: {
        path: '^(apps|packages|tooling)/',
        pathNot: '^packages/ui/src/(call|chart|form|messages|parts|table)/',
      },
    },
    {
      name: 'tooling-on-top',
      severity: 'error',
      comment:
        'Tools use the packages, never the other way round: move the shared part into a package. Only tests may play against the simulators.',
      from: { path: '^(apps|packages)/', pathNot: TEST },
      to: { path: '^tooling/' },
    },
    {
      name: 'no-test-code-in-production',
      severity: 'error',
      comment:
        'What ships imports neither tests nor testkit: move the shared part into a module of src that both import.',
      from: {
        path: '^(apps|packages|tooling)/',
        pathNot: [TEST, '^packages/testkit/', '^tooling/bench/'],
      },
      to: { path: [TEST, '^packages/testkit/'] },
    },
    {
      name: 'client-sdk-is-small',
      severity: 'error',
      comment:
        'The published client carries @trpc/client, with the observables it passes on, and its hooks need React, and nothing else: write the few lines it needs in packages/client-sdk/src, or use `import type`.',
      from: { path: '^packages/client-sdk/src/', pathNot: TEST },
      to: {
        dependencyTypesNot: ['type-only'],
        pathNot: [
          '^packages/client-sdk/src/',
          packageOf('@trpc/client', 'react'),
          '(^|/)node_modules/@trpc/server/dist/observable',
        ],
      },
    },
    {
      name: 'client-sdk-takes-contract-types',
      severity: 'error',
      comment:
        "The client's types come from the apps' contract alone: `import type { MainRouter } from '@gatehouse/api-main/router'`.",
      from: { path: '^packages/client-sdk/src/', pathNot: TEST },
      to: {
        dependencyTypes: ['type-only'],
        pathNot: [
          '^packages/client-sdk/src/',
          '^apps/[^/]+/src/router\\.ts$',
          packageOf('@trpc/(client|server)', '(@types/)?react'),
        ],
      },
    },
  ],
  options: {
    doNotFollow: { path: 'node_modules' },
    exclude: { path: '(^|/)dist/' },
    tsConfig: { fileName: 'tsconfig.json' },
    tsPreCompilationDeps: true,
    combinedDependencies: true,
    enhancedResolveOptions: {
      exportsFields: ['exports'],
      conditionNames: ['@gatehouse/source', 'import', 'node', 'default', 'types'],
      extensions: ['.ts', '.tsx', '.mts', '.js', '.mjs', '.cjs', '.json', '.css', '.d.ts'],
    },
  },
};
