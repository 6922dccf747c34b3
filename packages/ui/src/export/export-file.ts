import type { MainOutputs } from '@gatehouse/client-sdk';

/**
 * What a spreadsheet would run: a formula sign at the beginning of a cell, also after blanks or quotation marks, which some
 * programs drop. A value has further beginnings for programs with a separator other than a comma, such as those in German: they
 * split it, despite its quotation marks, at semicolons, tabs, bars and line ends. Programs that split at commas respect quotation
 * marks.
 */
const FORMULA = /(?=[=+\-@＝＋－＠])(?<=(?:^|[;\t|\r\n])[\s"]*)|^(?=[\t\r\n])/g;

/**
 * Rows as CSV (RFC 4180). Text that a spreadsheet would execute gets a quote mark in front (OWASP, CSV injection), in the middle
 * of a text too: `due; -3` becomes `due; '-3`. Hyphens, plus signs and addresses elsewhere are unchanged.
 */
export function csv(rows: readonly (readonly (string | number)[])[]): string {
  return rows.map((row) => `${row.map(cell).join(',')}\r\n`).join('');
}

function cell(value: string | number): string {
  if (typeof value === 'number') return String(value);
  const text = value.replaceAll(FORMULA, "'");
  return /[",;\t|\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** Has the browser save a text as a file. */
export function saveFile(name: string, text: string, type: string): void {
  const url = URL.createObjectURL(new Blob([text], { type }));
  const link = document.createElement('a');
  link.href = url;
  link.download = name;
  link.click();
  // The browser has taken the content by the next task.
  setTimeout(() => URL.revokeObjectURL(url));
}

type ExportedPage = MainOutputs['member']['exportOwn'];

/** What was read of an export so far, and where it continues; null at the end. */
export interface CollectedExport {
  readonly data: Readonly<Record<string, unknown>>;
  readonly nextCursor: string | null;
}

/** Adds a page: its lists follow those of the earlier pages, and what only the first page has stays. */
export function withPage(before: CollectedExport | undefined, { data, page }: ExportedPage): CollectedExport {
  const joined = new Map<string, unknown>(Object.entries(before?.data ?? {}));
  for (const [name, value] of Object.entries(data)) {
    const earlier: unknown = joined.get(name) ?? null;
    joined.set(name, isList(earlier) && isList(value) ? [...earlier, ...value] : (earlier ?? value));
  }
  return { data: Object.fromEntries(joined), nextCursor: page.nextCursor };
}

function isList(value: unknown): value is readonly unknown[] {
  return Array.isArray(value);
}
