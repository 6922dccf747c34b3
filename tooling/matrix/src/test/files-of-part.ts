import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { createTestFolder } from '@gatehouse/testkit';
import { z } from 'zod';
import { readJson, runVitest } from '../run-vitest.js';
import { listedFile } from '../stress/items.js';

/**
 * The files of a part of the suite with their projects, as often as they run; of the whole without a part.
 * @throws Error with what vitest printed if it cannot list them
 */
export async function filesOfPart(part: 'usual' | 'rest' | undefined): Promise<string[]> {
  await using folder = await createTestFolder();
  const { GATEHOUSE_TESTS: _part, VITEST: _vitest, ...inherited } = process.env;
  const file = join(folder.path, 'files.json');
  const log = join(folder.path, 'log');
  const env = part === undefined ? inherited : { ...inherited, GATEHOUSE_TESTS: part };
  const code = await runVitest(['list', '--filesOnly', `--json=${file}`], { env, log });
  if (code !== 0) throw new Error(`vitest cannot list the tests:\n${readFileSync(log, 'utf8')}`);
  return z
    .array(listedFile)
    .parse(readJson(file))
    .map(({ file: path, projectName }) => `${projectName} ${path}`);
}
