import type { Cell } from './cells.js';
import { type CellResult, resultOf } from './results.js';

/** What a run of the matrix tests. */
export interface MatrixRun {
  readonly sources: string;
  /** Whether the primary Node runs no more than the others. */
  readonly isQuick: boolean;
}

/** What a run of the matrix has to do. */
export interface MatrixPlan {
  /** The results that stay. */
  readonly results: readonly CellResult[];
  /** The cells to run, each with the reason if it ran before. */
  readonly cells: readonly { readonly cell: Cell; readonly again: string | undefined }[];
}

/**
 * Leaves out cells that have passed on the same sources, and with `--quick` only in a run that is quick itself. If all have, the run
 * begins again. Cells that are named always run, and leave the results of the others alone.
 */
export function planRun(
  run: MatrixRun & { readonly cells: readonly Cell[]; readonly areNamed: boolean },
  before: readonly CellResult[],
): MatrixPlan {
  if (run.areNamed) return { results: before, cells: run.cells.map((cell) => ({ cell, again: undefined })) };
  const planned = run.cells.map((cell) => {
    const result = resultOf(before, cell);
    return { cell, result, again: result && whyAgain(result, run) };
  });
  const isDone = planned.every(({ result, again }) => result !== undefined && again === undefined);
  if (isDone) {
    const again = 'every cell has passed on these sources';
    return { results: [], cells: run.cells.map((cell) => ({ cell, again })) };
  }
  return {
    results: planned.flatMap(({ result, again }) =>
      result !== undefined && again === undefined ? [result] : [],
    ),
    cells: planned.flatMap(({ cell, result, again }) =>
      result === undefined || again !== undefined ? [{ cell, again }] : [],
    ),
  };
}

/** Why a cell runs again despite its result; undefined if the result counts. */
function whyAgain(result: CellResult, run: MatrixRun): string | undefined {
  if (result.sources !== run.sources) return 'the sources have changed since';
  if (result.isQuick && !run.isQuick) return 'it ran with --quick, which leaves tests out';
  return result.isGreen ? undefined : 'it failed';
}
