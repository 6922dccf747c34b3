import { readFileSync, rmSync } from 'node:fs';
import { cpus, totalmem } from 'node:os';
import { join } from 'node:path';
import { readReport, runVitest, type VitestReport } from '../run-vitest.js';
import type { Sources } from '../sources.js';
import { makeTemporary } from './claim-folder.js';
import type { Item } from './items.js';
import type { ItemResult } from './results.js';

/** What an item needs to run. */
export interface ItemPlaces extends Sources {
  readonly env: NodeJS.ProcessEnv;
  /** Of logs. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** The name of an item's files. */
const slugOf = ({ name }: Item): string => name.replaceAll(/[^\w.-]+/g, '-');

const LONGEST_MS = 3 * 3_600_000;

/**
 * Runs the tests of an item at full size. Nothing is left of it: neither a process nor a temporary folder.
 * @returns undefined if it was stopped
 */
export async function runItem(item: Item, places: ItemPlaces): Promise<ItemResult | undefined> {
  const file = (kind: string): string => join(places.folder, `${slugOf(item)}.${kind}`);
  rmSync(file('json'), { force: true });
  const startedAt = new Date().toISOString();
  const startedMs = performance.now();
  const onDisk = makeTemporary('onDisk');
  const inMemory = makeTemporary('inMemory');
  const late = AbortSignal.timeout(LONGEST_MS);
  try {
    const oneByOne = item.part === 'stress' ? ['--no-file-parallelism'] : [];
    const code = await runVitest(['run', '--project', item.project, ...oneByOne, ...item.files], {
      env: {
        ...places.env,
        GATEHOUSE_STRESS: '1',
        GATEHOUSE_TEST_REPORT: file('json'),
        GATEHOUSE_TEST_MEMORY: inMemory,
        TMPDIR: onDisk,
        NO_COLOR: '1',
      },
      log: file('log'),
      signal: AbortSignal.any([places.signal, late]),
    });
    if (places.signal.aborted) return undefined;
    const report = readReport(file('json'));
    const hasPassed = code === 0 && report.success && report.numPassedTests > 0;
    return {
      name: item.name,
      hasPassed,
      passed: report.numPassedTests,
      failed: report.numFailedTests,
      seconds: Math.round((performance.now() - startedMs) / 1_000),
      figures: figuresIn(readFileSync(file('log'), 'utf8')),
      titles:
        item.part !== 'stress'
          ? []
          : report.testResults.flatMap(({ assertionResults }) =>
              assertionResults.map(({ fullName }) => fullName),
            ),
      failures: hasPassed ? [] : failuresIn(report, late.aborted ? 'it took longer than 3 h' : undefined),
      startedAt,
      commit: places.commit,
      sources: places.sources,
      node: process.versions.node,
      machine: `${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GiB`,
    };
  } finally {
    rmSync(onDisk, { recursive: true, force: true });
    rmSync(inMemory, { recursive: true, force: true });
  }
}

const FIGURES = 'stress: ';

function figuresIn(log: string): string[] {
  return log
    .split('\n')
    .filter((line) => line.startsWith(FIGURES))
    .map((line) => line.slice(FIGURES.length));
}

function failuresIn({ testResults }: VitestReport, reason: string | undefined): string[] {
  const failed = testResults.flatMap(({ message, assertionResults }) => [
    ...assertionResults
      .filter(({ status }) => status === 'failed')
      .map(({ fullName, failureMessages }) => `${fullName}: ${firstLine(failureMessages?.[0])}`),
    ...(message ? [firstLine(message)] : []),
  ]);
  const other = failed.length === 0 ? 'vitest failed without a failing test: its log says why' : undefined;
  return [reason ?? other ?? [], failed].flat();
}

const firstLine = (text = ''): string => text.split('\n')[0] ?? '';
