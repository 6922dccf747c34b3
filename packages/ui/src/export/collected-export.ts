import type { MainOutputs } from '@gatehouse/client-sdk';

type ExportedPage = MainOutputs['member']['exportOwn'];

/** What was read of an export so far, and where it goes on; null at the end. */
export interface CollectedExport {
  readonly data: Readonly<Record<string, unknown>>;
  readonly nextCursor: string | null;
}

/** Adds a page: its lists follow those of the pages before, and what only the first has stays. */
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
