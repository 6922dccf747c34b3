// @module-tag slow

import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestFolder } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { runNode } from './test/generated-project.js';
import { OWASP_EXCEPTIONS } from './test/owasp-exceptions.js';
import { renderedOpenApi, wholeOpenApi } from './test/rendered-openapi.js';
import { oasFindings, owaspErrors } from './test/spectral-findings.js';

const require = createRequire(import.meta.url);
const redocly = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
const config = fileURLToPath(new URL('../redocly.yaml', import.meta.url));
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };

/** Spectral compiles each schema of a document, and both documents are large. */
const TIMES = { timeout: 240_000 };

it('Redocly finds nothing in the documents, and each example matches its schema', TIMES, async () => {
  await using folder = await createTestFolder();
  const files = Object.entries(await wholeOpenApi()).map(([name, document]) => ({
    path: join(folder.path, `${name}.json`),
    text: JSON.stringify(document),
  }));
  for (const { path, text } of files) await writeFile(path, text);
  const outcome = await runNode(
    [redocly, 'lint', ...files.map(({ path }) => path), '--config', config, '--format', 'stylish'],
    quiet,
  );
  expect(outcome).toMatchObject({ isOk: true });
});

describe.each([
  { readers: 'all readers', tag: undefined },
  { readers: 'clients of the replaced system', tag: 'compatibility' },
  { readers: 'browsers', tag: 'pages' },
])('the document for $readers', ({ tag }) => {
  it.each(['main', 'admin'] as const)(
    'has no error and no warning of spectral:oas: %s',
    TIMES,
    async (name) => {
      const { [name]: document } = await renderedOpenApi(tag);
      expect(await oasFindings(document)).toEqual([]);
    },
  );
});

it(
  "Spectral's OWASP rules find no error in any document unless a reason is written down",
  TIMES,
  async () => {
    const documents = await wholeOpenApi();
    const all = [...(await owaspErrors(documents.main)), ...(await owaspErrors(documents.admin))];
    const isExcepted = (
      found: (typeof all)[number],
      { rule, operations }: (typeof OWASP_EXCEPTIONS)[number],
    ) => rule === found.rule && (operations?.includes(found.operation) ?? true);
    const others = all.filter((found) => !OWASP_EXCEPTIONS.some((each) => isExcepted(found, each)));
    expect(others).toEqual([]);

    const needed = OWASP_EXCEPTIONS.flatMap(({ rule, operations = [undefined] }) =>
      operations.map((operation) => ({
        rule,
        operation,
        isFound: all.some(
          (found) => found.rule === rule && (operation === undefined || found.operation === operation),
        ),
      })),
    );
    expect(needed.filter(({ isFound }) => !isFound)).toEqual([]);
  },
);
