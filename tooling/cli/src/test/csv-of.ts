/** A CSV file of these rows, each field in quotes. */
export const csvOf = (rows: readonly (readonly unknown[])[]): string =>
  rows
    .map((row) => row.map((field) => `"${String(field ?? '').replaceAll('"', '""')}"`).join(','))
    .join('\r\n');
