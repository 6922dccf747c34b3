import { AppError } from '@gatehouse/auth-core';
import { findPersonnel, listPersonnelGrants } from '@gatehouse/db';
import { z } from 'zod';
import { isInScope } from '../../../core/guard/account-access.js';
import { staffScopedProcedure } from '../../../core/guard/procedures.js';
import { personnelView, toPersonnelView } from './personnel-view.js';

/**
 * A member of staff with their grants. Callers who do not reach all accounts see themselves and colleagues
 * with a grant for one of their accounts, and only these grants.
 */
export const detail = staffScopedProcedure('personnel.read')
  .input(z.object({ personnelId: z.number().int().positive() }))
  .output(z.object({ data: personnelView }))
  .query(async ({ ctx, input: { personnelId } }) => {
    const { services, scope, caller } = ctx;
    const [row, grants] = await Promise.all([
      findPersonnel(services.db, personnelId),
      listPersonnelGrants(services.db, personnelId),
    ]);
    const shared = grants.filter(({ accountId }) => isInScope(scope, accountId));
    const isVisible = scope.all || shared.length > 0 || personnelId === caller.memberId;
    if (!row || !isVisible) throw new AppError('not_found');
    return { data: toPersonnelView(row, shared, services.now()) };
  });
