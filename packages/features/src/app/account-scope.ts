/** The accounts a list may show: those named, or all of them. */
export type AccountScope =
  | { readonly all: true }
  | { readonly all: false; readonly accountIds: readonly number[] };
