export interface TableRow {
  readonly name: string;
  readonly requestsPerSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly ratio: { readonly value: number; readonly against: string } | undefined;
}

/** The measurements as a Markdown table. */
export function renderTable(rows: readonly TableRow[]): string {
  const lines = rows.map(({ name, requestsPerSecond, p50Ms, p99Ms, ratio }) =>
    [
      name,
      Math.round(requestsPerSecond).toLocaleString('en'),
      p50Ms.toFixed(0),
      p99Ms.toFixed(0),
      ratio ? `${ratio.value.toFixed(2)} of ${ratio.against}` : '',
    ].join(' | '),
  );
  return [
    '| Server | Requests/s | p50 ms | p99 ms | Ratio |',
    '|---|---:|---:|---:|---|',
    ...lines.map((line) => `| ${line} |`),
  ].join('\n');
}
