/** The accounts whose members may be seen. */
export type MemberScope =
  | {
      readonly all: true;
      /** Accounts that need a session of a higher level, and are left out. */
      readonly except?: ReadonlySet<number>;
    }
  | { readonly all: false; readonly accountIds: readonly number[] };
