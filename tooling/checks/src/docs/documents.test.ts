import { describe, expect, it } from 'vitest';
import type { Check } from '../check.js';
import { repositoryOf } from '../repository.js';
import { namedPaths } from './named-paths.js';
import { namedScriptsAndVariables } from './named-scripts-and-variables.js';

const TREE = {
  'package.json': JSON.stringify({ name: 'root', scripts: { test: '', start: '', gatehouse: '' } }),
  'packages/db/package.json': JSON.stringify({
    name: '@gatehouse/db',
    scripts: { generate: '' },
    exports: { '@gatehouse/source': '' },
  }),
  'packages/db/src/queries/find-member.ts': "export const BUSY = 'ER_LOCK_DEADLOCK';",
  'apps/api-main/src/main.ts': 'process.env.JWT_SECRET_KEY;',
  'apps/api-main/src/routes.ts': '',
  'apps/api-main/src/next.stress.test.ts': '',
  'tooling/cli/src/commands/database.ts': "export const migrate = {\n  name: 'migrate',\n};",
  'docs/adr/0001-record.md': '# Record\n\n## The cost',
  '.env.example': 'PORT=4000',
};

const messagesOf = (check: Check, document: string, path = 'README.md') =>
  check.run(repositoryOf({ ...TREE, [path]: document })).filter((finding) => finding.path === path);

describe('the paths in a document', () => {
  it.each([
    '`packages/db`',
    '`packages/db/src/queries/find-member.ts`',
    '`packages/db/src/queries/`',
    '`src/queries`',
    '`routes.ts`',
    '`.env.example`',
    '`.stress.test.ts`',
    '`apps/*/src/main.ts`',
    '`apps/{api-main,api-admin}/src/main.ts`',
    '`apps/<app>/src/routes.ts`',
    '`node apps/api-main/dist/main.js`',
    '`packages/db/src/queries/find-member.ts:1`',
    '`@gatehouse/db` through `@gatehouse/source`',
    '`/auth/me`, `application/json`, `node:crypto`',
    '```sh\nnode apps/api-main/dist/main.js\n```',
    'apps/none is prose',
  ])('exist, or are not paths: %s', (document) => {
    expect(messagesOf(namedPaths, document)).toEqual([]);
  });

  it.each([
    '`packages/none`',
    '`packages/db/src/queries/find-nobody.ts`',
    '`src/none`',
    '`tables.ts`',
    '`.spec.ts`',
    '`packages/*/src/main.ts`',
    '`node apps/api-admin/dist/main.js`',
    '`@gatehouse/none`',
    '```\npackages/none/src   the missing one\n```',
  ])('are reported when they are gone: %s', (document) => {
    expect(messagesOf(namedPaths, document)).toHaveLength(1);
  });

  it('may be relative to the folder of the document', () => {
    expect(messagesOf(namedPaths, '`docs/adr/0001-record.md`', 'docs/guide.md')).toEqual([]);
  });

  it('are checked in .env.example as well', () => {
    expect(messagesOf(namedPaths, '# See packages/none.', '.env.example')).toHaveLength(1);
    expect(messagesOf(namedPaths, '# See packages/db.', '.env.example')).toEqual([]);
  });
});

describe('the scripts in a document', () => {
  it.each([
    '`pnpm test`',
    '`npx --yes pnpm@10 start`',
    '`pnpm run test`',
    '`pnpm -s gatehouse migrate`',
    '`pnpm --filter @gatehouse/db generate <name>`',
    '`pnpm install`',
    '```sh\npnpm test   # pnpm nothing\n```',
  ])('exist: %s', (document) => {
    expect(messagesOf(namedScriptsAndVariables, document)).toEqual([]);
  });

  it.each([
    '`pnpm test:stress`',
    '`npx --yes pnpm@10 serve`',
    '`pnpm -s gatehouse explode`',
    '`pnpm --filter @gatehouse/db test`',
    '`pnpm --filter @gatehouse/none test`',
    '```sh\npnpm test && pnpm deploy\n```',
  ])('are reported when they are gone: %s', (document) => {
    expect(messagesOf(namedScriptsAndVariables, document)).toHaveLength(1);
  });
});

describe('the variables in a document', () => {
  it.each([
    '`PORT`',
    '`JWT_SECRET_KEY`',
    '`PORT=5000`',
    '`ER_LOCK_DEADLOCK`',
    'NONE_SUCH',
    '`Token`',
    '```\nNONE_SUCH=1\n```',
  ])('exist, or are not variables: %s', (document) => {
    expect(messagesOf(namedScriptsAndVariables, document)).toEqual([]);
  });

  it.each(['`JWT_SECRET`', '`NONE_SUCH`', '`NONE_SUCH=1`', '`SECRETS`'])(
    'are reported when they are gone: %s',
    (document) => {
      expect(messagesOf(namedScriptsAndVariables, document)).toHaveLength(1);
    },
  );
});

describe('the links of a document', () => {
  it.each([
    '[a](docs/adr/0001-record.md)',
    '[a](./docs/adr/)',
    '[a](docs/adr/0001-record.md#the-cost)',
    '[a](#here)\n# Here',
    '[a](https://example.com/none)',
  ])('have a target: %s', (document) => {
    expect(messagesOf(namedPaths, document)).toEqual([]);
  });

  it.each([
    '[a](none.md)',
    '![a](none.png)',
    '[a](docs/adr/0001-record.md#the-gain)',
    '[a](#nowhere)',
    '[a]: none.md',
  ])('are reported when they have no target: %s', (document) => {
    expect(messagesOf(namedPaths, document)).toHaveLength(1);
  });

  it('may be relative to the folder of the document', () => {
    expect(messagesOf(namedPaths, '[a](adr/0001-record.md)', 'docs/guide.md')).toEqual([]);
    expect(messagesOf(namedPaths, '[a](docs/adr/0001-record.md)', 'docs/guide.md')).toHaveLength(1);
  });
});
