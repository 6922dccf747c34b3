/**
 * What a spreadsheet would run: a sign of a formula where a cell begins, also after blanks or quotation marks, which some programs
 * drop. A value has further beginnings for programs that separate by something else than a comma, as those in German do: they cut
 * it, for all its quotation marks, at semicolons, tabs, bars and ends of lines. At commas only programs cut that heed them.
 */
const FORMULA = /(?=[=+\-@＝＋－＠])(?<=(?:^|[;\t|\r\n])[\s"]*)|^(?=[\t\r\n])/g;

/**
 * Rows as CSV (RFC 4180). What a spreadsheet would run gets a quote mark in front (OWASP, CSV injection), in the middle of a text
 * too: `due; -3` becomes `due; '-3`. Hyphens, plus signs and addresses elsewhere stay as they are.
 */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll(FORMULA, "'");
  return /[",;\t|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
