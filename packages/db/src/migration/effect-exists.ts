/** Table exists, column exists, index exists; no such column or index to drop, no such table to drop or rename. */
const EXISTS_ALREADY = new Set([1050, 1060, 1061, 1091, 1051, 1146]);

/** Says whether MySQL refused a change of a table because that change was made before. */
export function effectExists(error: unknown): boolean {
  return (
    error instanceof Error &&
    'errno' in error &&
    typeof error.errno === 'number' &&
    EXISTS_ALREADY.has(error.errno)
  );
}
