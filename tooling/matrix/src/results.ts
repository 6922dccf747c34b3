import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { z } from 'zod';
import { type Cell, DATABASES } from './cells.js';

const cellResult = z.object({
  node: z.string(),
  nodeVersion: z.string(),
  database: z.enum(DATABASES),
  /** Empty for the embedded database, which is a package of the lock file. */
  databaseVersion: z.string(),
  passed: z.number(),
  failed: z.number(),
  /** The files of the database's part of the suite that did not run. */
  filesLeftOut: z.number(),
  isGreen: z.boolean(),
  minutes: z.number(),
  date: z.string(),
  /** Changes with any file but the documents. Results of before it was kept count for no sources. */
  sources: z.string().default(''),
  /** Whether it left out what a whole run has. */
  isQuick: z.boolean().default(false),
});

/** What a cell of the matrix showed. */
export type CellResult = z.output<typeof cellResult>;

const fileIn = (folder: string): string => join(folder, 'results.json');

/** What is known of the run that was stopped, or of the last one. */
export function readResults(folder: string): CellResult[] {
  if (!existsSync(fileIn(folder))) return [];
  return z.array(cellResult).parse(JSON.parse(readFileSync(fileIn(folder), 'utf8')));
}

/** Keeps the results, so that a run goes on where it was stopped. */
export function keepResults(folder: string, results: readonly CellResult[]): void {
  mkdirSync(folder, { recursive: true });
  writeFileSync(fileIn(folder), `${JSON.stringify(results, null, 2)}\n`);
}

/** The result of a cell, if there is one. */
export function resultOf(results: readonly CellResult[], cell: Cell): CellResult | undefined {
  return results.find(({ node, database }) => node === cell.node && database === cell.database);
}
