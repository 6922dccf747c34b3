import type { Permission, StaffPermission } from '@gatehouse/auth-core';

/**
 * Who may call a procedure. Every procedure carries one as metadata, put there by the guard it is built
 * on, so that documents and tests can walk the whole surface.
 */
export type Rule =
  | { readonly who: 'anyone' }
  | { readonly who: 'bearer' }
  | { readonly who: 'partner' }
  | { readonly who: 'member'; readonly inPerson?: true }
  | {
      readonly who: 'account';
      readonly permission: Permission;
      readonly staffWithoutAccount: boolean;
      /** Whether those without the permission may see what they take part in themselves. */
      readonly orOwn?: true;
    }
  | {
      readonly who: 'staff';
      readonly permission?: Permission | StaffPermission;
      /** Whether a selected account narrows what they see and do to that account. */
      readonly inAccounts?: true;
    }
  | { readonly who: 'root' }
  | { readonly who: 'authToken' };
