import { unique } from '../dialect/index-row.js';
import type { Vocabulary } from '../dialect/mysql/vocabulary.js';

/** The custom roles of accounts. */
export const defineCustomRoles = (v: Vocabulary) =>
  v.table(
    'custom_roles',
    {
      id: v.id(),
      accountId: v.reference(),
      name: v.string(60),
      nameKey: v.key(640),
      /** The built-in role it ranks as. Older clients see that one. */
      roleType: v.integer(),
      /** All permissions of the role. */
      permissions: v.json<string[]>(),
      createdAtMs: v.instant(),
      updatedAtMs: v.instant(),
    },
    [unique('one role of a name in an account; reads the roles of an account', 'accountId', 'nameKey')],
  );
