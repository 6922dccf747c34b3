import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { findInstalled } from '@gatehouse/testkit/operations';
import { z } from 'zod';
import { readJson } from '../run-vitest.js';
import { readSources } from '../sources.js';
import { claimFolder } from './claim-folder.js';
import { chosenItems } from './items.js';
import { listItems } from './list-items.js';
import { renderReport } from './render-report.js';
import { estimate, itemsLeft, keepResults, readResults, resultOf } from './results.js';
import { runItems } from './run-items.js';

/**
 * `pnpm test:stress`: every stress test at full size, one item after the other, and their report. Each result is kept at
 * once, in a file beside the report: started again, here or in another clone with that file, it runs what has not passed on
 * these sources.
 */
const { values: options } = parseArgs({
  options: {
    only: { type: 'string' },
    list: { type: 'boolean', default: false },
    fresh: { type: 'boolean', default: false },
    'any-commit': { type: 'boolean', default: false },
    'side-by-side': { type: 'string', default: '1' },
    report: { type: 'string', default: 'docs/stress.md' },
  },
});

/** Of logs. */
const FOLDER = '.data/stress';
const { GATEHOUSE_TESTS: _part, ...env } = process.env;
const lanes = z.coerce.number().int().min(1).parse(options['side-by-side']);
if (lanes > 1 && env['TEST_MYSQL_URL'] !== undefined)
  throw new Error('--side-by-side needs a MariaDB for each item: unset TEST_MYSQL_URL');

const sources = readSources();
const accepted = { sources: sources.sources, isAnyCommit: options['any-commit'] };
const { items, leftOut } = await listItems(env, FOLDER);
const chosen = chosenItems(items, options.only);
const chosenLeftOut = chosenItems(leftOut, options.only);
if (chosen.length + chosenLeftOut.length === 0) throw new Error(`no item has "${options.only}" in its name`);

const resultsFile = `${options.report.replace(/\.md$/, '')}.json`;
const results = readResults(resultsFile);

if (options.list) printList();
else await runAll();

function printList(): void {
  for (const item of chosen) {
    const result = resultOf(results, item, accepted);
    const state = result === undefined ? 'to run' : result.hasPassed ? 'passed' : 'FAILED';
    console.log(`${state}    ${estimate([item], results).padStart(10)}  ${item.name}`);
  }
  for (const item of chosenLeftOut) console.log(`left out              ${item.name}`);
  const left = itemsLeft(chosen, results, accepted);
  console.log(`${left.length} of ${chosen.length} items are to run: ${estimate(left, results)}`);
}

async function runAll(): Promise<void> {
  using _claim = claimFolder(FOLDER);
  if (options.fresh) for (const { name } of chosen) results.delete(name);
  const { server, ...programs } = await findInstalled();
  const missing = Object.entries(programs).flatMap(([name, isThere]) => (isThere ? [] : [name]));
  const { version: libsql } = z
    .object({ version: z.string() })
    .parse(readJson('packages/db/node_modules/libsql/package.json'));
  const databases = [`embedded (libsql ${libsql})`, server === undefined ? [] : `MariaDB ${server}`].flat();
  const writeReport = (): void => {
    keepResults(resultsFile, results);
    writeFileSync(options.report, renderReport({ ...accepted, items, leftOut, results, missing, databases }));
  };

  const stop = new AbortController();
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => stop.abort());
  const left = itemsLeft(chosen, results, accepted);
  console.log(`${left.length} of ${chosen.length} items are to run: ${estimate(left, results)}`);
  await runItems(left, {
    ...sources,
    env,
    folder: FOLDER,
    signal: stop.signal,
    lanes,
    results,
    onResult: writeReport,
  });
  writeReport();

  for (const { name } of chosenLeftOut) console.log(`left out, as it needs ${missing.join(' or ')}: ${name}`);
  const open = itemsLeft(chosen, results, accepted).length;
  const passed = chosen.length - open;
  console.log(
    `${passed} of ${chosen.length + chosenLeftOut.length} items have passed; ${options.report} has the report`,
  );
  if (stop.signal.aborted) console.log('stopped: the same command goes on from here');
  process.exitCode = open + chosenLeftOut.length === 0 ? 0 : 1;
}
