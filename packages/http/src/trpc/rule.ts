import type { ErrorCode, Permission, StaffPermission } from '@gatehouse/auth-core';

/** What documents say of a procedure, beyond what its guard and its schemas tell. */
export interface ProcedureAbout {
  readonly summary: string;
  /** The refusals of the procedure's body; those of its guard and its input go without saying. */
  readonly refuses?: readonly ErrorCode[];
  /** Whether the `Apptype` header says for which application a login is. */
  readonly readsApptype?: boolean;
}

/** How recently whoever calls must have shown that they are the member. */
export interface Freshness {
  readonly seconds: number;
}

/**
 * Who may call a procedure. Every procedure carries one as metadata, put there by the guard it is built
 * on, so that documents and tests can walk the whole surface.
 */
export type Rule =
  | { readonly who: 'anyone' }
  | { readonly who: 'bearer' }
  | { readonly who: 'partner' }
  | {
      readonly who: 'member';
      /** Whether sessions that a partner began are refused. */
      readonly inPerson?: true;
      readonly fresh?: Freshness;
    }
  | {
      readonly who: 'account';
      readonly permission: Permission;
      readonly staffWithoutAccount: boolean;
      /** Whether those without the permission may see what they take part in themselves. */
      readonly orOwn?: true;
      readonly inPerson?: true;
      readonly fresh?: Freshness;
      /** Whether it takes the primary owner of the account. */
      readonly primaryOwner?: true;
      /** Whether what the account has paid for must include it. */
      readonly entitled?: true;
    }
  | {
      readonly who: 'staff';
      readonly permission?: Permission | StaffPermission;
      /** Whether a selected account narrows what they see and do to that account. */
      readonly inAccounts?: true;
    }
  | { readonly who: 'root' }
  | { readonly who: 'authToken' };

/** What every procedure carries beside its code; the guard puts the rule there. */
export interface ProcedureMeta {
  readonly rule?: Rule;
  readonly about?: ProcedureAbout;
}
