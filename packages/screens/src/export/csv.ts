/** Cells that a spreadsheet would take for a formula, and what begins like one once it is cut. */
const FORMULA = /^[=+\-@\t\r]/;

/** Rows as CSV (RFC 4180). What a spreadsheet would run gets a quote mark in front (OWASP, CSV injection). */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = FORMULA.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
