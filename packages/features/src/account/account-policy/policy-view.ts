import { accountLevelAt } from '@gatehouse/auth-core';
import { type AccountState, countFactorsOf, type Database } from '@gatehouse/db';
import { z } from 'zod';
import type { Services } from '../../core/context.js';

/** What an account asks of the sessions in it. */
export const policyView = z.object({
  /** 1 asks nothing more than signing in. */
  level: z.int(),
  /** From when that level counts; null where it does already. */
  from: z.iso.datetime().nullable(),
  /** The level that counts now. */
  current: z.int(),
  members: z.int(),
  /** How many members have no factor of the level. */
  fallingShort: z.int(),
});

/** The policy of an account, and how many of its members fall short of it. */
export async function toPolicyView(
  db: Database,
  account: Pick<AccountState, 'requiredLevel' | 'requiredFromMs' | 'requiredUntilThen'>,
  { accountId, nowMs, relyingParty }: { accountId: number; nowMs: number } & Pick<Services, 'relyingParty'>,
): Promise<z.output<typeof policyView>> {
  const { requiredLevel: level, requiredFromMs: fromMs } = account;
  const { members, withLevel2, withLevel3 } = await countFactorsOf(db, { accountId, rpId: relyingParty?.id });
  const enough = [members, members, withLevel2, withLevel3][level] ?? 0;
  return {
    level,
    from: fromMs === null || fromMs <= nowMs ? null : new Date(fromMs).toISOString(),
    current: accountLevelAt({ isDeleted: false, ...account }, nowMs),
    members,
    fallingShort: members - enough,
  };
}
