/** The accounts whose members may be seen. */
export type MemberScope =
  | { readonly all: true }
  | { readonly all: false; readonly accountIds: readonly number[] };
