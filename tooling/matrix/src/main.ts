import { readFileSync, writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { cacheFolderIn } from './cache.js';
import { cellsOf } from './cells.js';
import { renderMatrix, withMatrix } from './render-matrix.js';
import { type CellResult, keepResults, readResults, resultOf } from './results.js';
import { runCell } from './run-cell.js';

/**
 * `pnpm test:matrix`: the tests on each Node and database, one cell after the other, and their table in
 * docs/operations.md. It goes on where it was stopped; cells that are named run again. With `--quick` no Node runs every test.
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
  isQuick: options.quick,
};
const isGreen = (results: readonly CellResult[]) =>
  cellsOf([], []).every((cell) => resultOf(results, cell)?.isGreen === true);

const cells = cellsOf(options.node, options.database);
const areNamed = options.node.length + options.database.length > 0;
const before = readResults(places.folder);
let results = options.anew || (!areNamed && isGreen(before)) ? [] : before;
let hasFailed = false;

for (const cell of cells) {
  if (!areNamed && resultOf(results, cell)?.isGreen) continue;
  const name = `Node ${cell.node}, ${cell.database}`;
  try {
    const result = await runCell(cell, places);
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
}

const table = renderMatrix(results);
writeFileSync(DOCUMENT, withMatrix(readFileSync(DOCUMENT, 'utf8'), table));
console.log(`\n${table}`);
process.exitCode = hasFailed ? 1 : 0;
