import { decideAccess, searchTextSchema, searchWords } from '@gatehouse/auth-core';
import { sortAccounts } from '@gatehouse/db/queries/search-accounts';
import { listView, openCursor, pageInput, textCursor, toSearchPage } from '@gatehouse/http/page';
import { z } from 'zod';
import { reachAccount, reachableAccounts } from '../core/guard/account-access.js';
import { memberProcedure } from '../core/guard/procedure.js';
import { runSearch } from '../core/search-page.js';

const accountView = z.object({
  id: z.int(),
  name: z.string(),
  /** The number of the caller's role there. */
  role: z.int(),
  createdAt: z.iso.datetime(),
});

const BY_NAME = { by: 'name', isDescending: false } as const;

/** The caller's accounts, by words of the name or by id. */
export const searchOwnAccounts = memberProcedure
  .input(z.object({ search: searchTextSchema, ...pageInput }))
  .output(listView(accountView))
  .query(async ({ ctx, input }) => {
    const { services, caller, accountId } = ctx;
    if (accountId !== null) await reachAccount(ctx, caller, accountId);
    const cursor = openCursor(input.cursor, textCursor);
    const scope = await reachableAccounts(ctx, caller, 'account.read');
    const search = { words: searchWords(input.search) };
    const after = cursor && { nameKey: cursor[0], id: cursor[1] };
    const limit = input.limit + 1;
    const found = await runSearch(ctx, search.words.length === 0, (deadlineMs) =>
      sortAccounts(services.db, scope, search, BY_NAME, { after, limit, deadlineMs }),
    );
    return toSearchPage(
      found,
      input.limit,
      ({ nameKey, id }) => [nameKey, id],
      ({ id, name, createdAtMs }) => ({
        id,
        name,
        role:
          decideAccess(services.roles, caller.member, { accountId: id, account: { isDeleted: false } })
            .role ?? services.roles.id.archived,
        createdAt: new Date(createdAtMs).toISOString(),
      }),
    );
  });
