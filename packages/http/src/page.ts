import { AppError, searchTextSchema } from '@gatehouse/auth-core';
import { z } from 'zod';

const DEFAULT_LIMIT = 50;
const MOST = 200;

/** The size of the longest name in a sort order. */
const MAX_CURSOR_LENGTH = 4_000;

/** The input of every list: at most 200 rows, 50 by default, and the cursor of the last page. */
export const pageInput = {
  limit: z
    .number()
    .int()
    .min(1)
    .transform((limit) => Math.min(limit, MOST))
    .default(DEFAULT_LIMIT),
  cursor: z.string().max(MAX_CURSOR_LENGTH).nullish(),
};

/**
 * The input of a list, which may be omitted: paging and filters.
 * @param filter fields, all optional
 */
export function listInput<Filter extends z.ZodRawShape>(filter: Filter) {
  const schema = z.object({ ...filter, ...pageInput });
  return schema.prefault(nothing<z.input<typeof schema>>());
}

/** `listInput` for a list filtered by a text. It refuses unknown fields, in case somebody misspells the text's. */
export const searchInput = searchFilters({});

/**
 * `searchInput` with filters.
 * @param filter fields that are optional, every one
 */
export function searchFilters<Filter extends z.ZodRawShape>(filter: Filter) {
  const schema = z.strictObject({ search: searchTextSchema.default(''), ...filter, ...pageInput });
  return schema.prefault(nothing<z.input<typeof schema>>());
}

function nothing<Input>(): Input {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- A list that does need a field refuses this like any other input, and the tests of both surfaces fail.
  return {} as Input;
}

const pageView = z.object({ limit: z.int(), nextCursor: z.string().nullable() }).meta({ id: 'Page' });

/** The answer of a list of `row`. */
export function listView<Row extends z.ZodType>(row: Row) {
  return z.object({ data: z.array(row).max(MOST), page: pageView });
}

/** The key of a page's last row, as an opaque cursor. */
export function sealCursor(key: readonly (string | number)[]): string {
  return Buffer.from(JSON.stringify(key)).toString('base64url');
}

/**
 * The key in a cursor; undefined for the first page.
 * @throws {AppError} `invalid_input` for a cursor that no list of this shape made.
 */
export function openCursor<Key>(cursor: string | null | undefined, shape: z.ZodType<Key>): Key | undefined {
  if (cursor === undefined || cursor === null || cursor === '') return undefined;
  try {
    return shape.parse(JSON.parse(Buffer.from(cursor, 'base64url').toString()));
  } catch (cause) {
    throw new AppError('invalid_input', {
      issues: [{ path: 'cursor', message: 'This cursor is not valid' }],
      cause,
    });
  }
}

/** Cursors of lists ordered by id. */
export const idCursor = z.tuple([z.number().int()]);

/** Cursors of lists ordered by a text and then by id. */
export const textCursor = z.tuple([z.string().refine(isStorable), z.number().int()]);

/** Cursors of lists ordered by an optional number and then by id; an empty text means no number. */
export const numberCursor = z.tuple([z.union([z.literal(''), z.number().int()]), z.number().int()]);

function isStorable(text: string): boolean {
  return !/[\0\p{Surrogate}]/u.test(text);
}

/**
 * One page of a search: `limit + 1` rows, or fewer if it ran out of time. Then `goesOnAfter` is the key behind which the next
 * page begins, and this one may even be empty.
 */
export function toSearchPage<Row, Key, View>(
  { rows, goesOnAfter }: { readonly rows: readonly Row[]; readonly goesOnAfter: Key | undefined },
  limit: number,
  keyOf: (row: Row | Key) => readonly (string | number)[],
  view: (row: Row) => View,
): { data: View[]; page: { limit: number; nextCursor: string | null } } {
  const { data, page } = toPage(rows, limit, keyOf, view);
  const rest = goesOnAfter === undefined ? null : sealCursor(keyOf(goesOnAfter));
  return { data, page: { ...page, nextCursor: page.nextCursor ?? rest } };
}

/** One page of `limit + 1` rows. The extra row only shows that there is a next page. */
export function toPage<Row, View>(
  rows: readonly Row[],
  limit: number,
  keyOf: (row: Row) => readonly (string | number)[],
  view: (row: Row) => View,
): { data: View[]; page: { limit: number; nextCursor: string | null } } {
  const shown = rows.slice(0, limit);
  const last = shown.at(-1);
  return {
    data: shown.map(view),
    page: { limit, nextCursor: rows.length > limit && last !== undefined ? sealCursor(keyOf(last)) : null },
  };
}
