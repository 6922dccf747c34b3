import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cacheFolderIn } from './cache.js';
import { cellsOf } from './cells.js';
import { planRun } from './plan-run.js';
import { renderMatrix, withMatrix } from './render-matrix.js';
import { keepResults, readResults, resultOf } from './results.js';
import { runCell } from './run-cell.js';
import { readSources } from './sources.js';

/**
 * `pnpm test:matrix`: the tests on each Node and database, one cell after the other, and their table in
 * docs/operations.md. It goes on where it was stopped, on the same sources; cells that are named run again. With `--quick` no Node runs
 * every test.
 */
const { values: options } = parseArgs({
  options: {
    node: { type: 'string', multiple: true, default: [] },
    database: { type: 'string', multiple: true, default: [] },
    anew: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
});

const DOCUMENT = 'docs/operations.md';
const places = {
  env: process.env,
  cache: cacheFolderIn(process.env),
  folder: 'node_modules/.cache/gatehouse-matrix',
  sources: readSources().sources,
  isQuick: options.quick,
};
const cells = cellsOf(options.node, options.database);
const areNamed = options.node.length + options.database.length > 0;
const plan = planRun({ ...places, cells, areNamed }, options.anew ? [] : readResults(places.folder));
const haveChanged = () => readSources().sources !== places.sources;
let results = plan.results;
let hasFailed = false;

for (const { cell, again } of plan.cells) {
  const name = `Node ${cell.node}, ${cell.database}`;
  if (again !== undefined) console.log(`AGAIN   ${name}: ${again}`);
  try {
    const result = await runCell(cell, places);
    if (haveChanged()) throw new Error('the sources changed while it ran, so the run stops');
    results = [...results.filter((other) => other !== resultOf(results, cell)), result];
    keepResults(places.folder, results);
    hasFailed ||= !result.isGreen;
    const { passed, failed, minutes } = result;
    console.log(
      `${result.isGreen ? 'OK     ' : 'FAILED '} ${name}: ${passed} passed, ${failed} failed, ${minutes} min`,
    );
  } catch (error) {
    hasFailed = true;
    console.log(`FAILED  ${name}: ${error instanceof Error ? error.message : String(error)}`);
  }
  if (haveChanged()) break;
}

const table = renderMatrix(results);
writeFileSync(DOCUMENT, withMatrix(readFileSync(DOCUMENT, 'utf8'), table));
console.log(`\n${table}`);
const older = results.filter(({ sources }) => sources !== places.sources).length;
if (older > 0) console.log(`${older} of these cells ran on other sources`);
process.exitCode = hasFailed ? 1 : 0;
