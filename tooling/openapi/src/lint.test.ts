import { writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createTestFolder } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { OWASP_EXCEPTIONS } from './test/owasp-exceptions.js';
import { owaspFindings } from './test/owasp-findings.js';
import { renderedOpenApi } from './test/rendered-openapi.js';
import { runNode } from './test/run-node.js';

const require = createRequire(import.meta.url);
const redocly = join(dirname(require.resolve('@redocly/cli/package.json')), 'bin', 'cli.js');
const config = fileURLToPath(new URL('../redocly.yaml', import.meta.url));
const quiet = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true', CI: 'true' };

it('Redocly finds nothing in either document, and each example is one of what it stands for', async () => {
  await using folder = await createTestFolder();
  const documents = await renderedOpenApi();
  const files = Object.entries(documents).map(([name, document]) => ({
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

it("Spectral's OWASP rules find no error in either document but where a reason is written down", async () => {
  const documents = await renderedOpenApi();
  const all = [...(await owaspFindings(documents.main)), ...(await owaspFindings(documents.admin))];
  const isExcepted = (found: (typeof all)[number], { rule, operations }: (typeof OWASP_EXCEPTIONS)[number]) =>
    rule === found.rule && (operations?.includes(found.operation) ?? true);
  const others = all.filter((found) => !OWASP_EXCEPTIONS.some((each) => isExcepted(found, each)));
  expect(others).toEqual([]);

  const needed = OWASP_EXCEPTIONS.flatMap(({ rule, operations = [undefined] }) =>
    operations.map((operation) =>
      all.some((found) => found.rule === rule && (operation === undefined || found.operation === operation)),
    ),
  );
  expect(needed).not.toContain(false);
});
