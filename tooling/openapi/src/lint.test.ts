// @module-tag slow

import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestFolder } from '@gatehouse/testkit';
import { describe, expect, it } from 'vitest';
import { runNode } from './test/generated-project.js';
import { OWASP_EXCEPTIONS } from './test/owasp-exceptions.js';
import { wholeOpenApi } from './test/rendered-openapi.js';
import { spectralFindings } from './test/spectral-findings.js';

const require = createRequire(import.meta.url);
const redocly = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
const config = fileURLToPath(new URL('../redocly.yaml', import.meta.url));
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };

/** Spectral compiles each schema of a document, and both documents are large. */
const TIMES = { timeout: 240_000 };

it(
  'Redocly finds nothing in the documents, and each example is one of what it stands for',
  TIMES,
  async () => {
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
  },
);

describe('the documents of the services', () => {
  const linted = async () => {
    const { main, admin } = await wholeOpenApi();
    return [await spectralFindings(main), await spectralFindings(admin)];
  };
  let findings: ReturnType<typeof linted> | undefined;
  const findingsOf = async (rules: 'oas' | 'owasp') => {
    findings ??= linted();
    return (await findings).flatMap((document) => document[rules]);
  };

  it('have no error and no warning of spectral:oas', TIMES, async () => {
    expect(await findingsOf('oas')).toEqual([]);
  });

  it("have no error of Spectral's OWASP rules but where a reason is written down", TIMES, async () => {
    const all = await findingsOf('owasp');
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
  });
});
