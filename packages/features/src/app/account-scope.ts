/** The accounts that a list may show: the given ones, or all. */
export type AccountScope =
  | { readonly all: true }
  | { readonly all: false; readonly accountIds: readonly number[] };
