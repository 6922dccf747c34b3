import { hashPassword } from '@gatehouse/auth-core';
import type { Database } from '@gatehouse/db/database';
import { findLastIds } from '@gatehouse/db/queries/insert-imported-rows';
import { findMember } from '@gatehouse/db/queries/read-members';
import { configShape, readConfig } from '@gatehouse/features/core/config';
import { DEMONSTRATION_PASSWORD } from '@gatehouse/runtime/config/secrets';
import type { CommandContext } from '../command.js';
import { defineCommand } from '../define-command.js';
import { type LoadPlan, planLoad } from '../load/load-plan.js';
import { writeAccounts, writeHistories } from '../load/write-accounts.js';
import { staffId, writeCrowd, writeMembers, writeStaff } from '../load/write-people.js';
import { createProgressBar } from '../progress-bar.js';
import { withDatabase } from '../with-database.js';

const MAX_MEMBERS = 10_000_000;
const USAGE = `--members <10 to ${MAX_MEMBERS}> [--accounts <1 to members>]`;

export const seedLoad = defineCommand({
  name: 'seed-load',
  summary: 'add made-up members for measuring; refused in production',
  usage: [USAGE],
  options: {
    members: { type: 'string', value: '<count>', about: 'how many members' },
    accounts: {
      type: 'string',
      value: '<count>',
      about: 'how many accounts; a fifth of the members unless given',
    },
  },
  async run(context, { values }) {
    const sizes = sizesIn(values);
    if (!sizes) {
      context.say(`usage: gatehouse seed-load ${USAGE}`);
      return 2;
    }
    const { NODE_ENV } = readConfig({ NODE_ENV: configShape.NODE_ENV }, context.env);
    if (NODE_ENV === 'production') {
      context.say('Refused: NODE_ENV is production (or not set, which means the same).');
      return 1;
    }
    return withDatabase(context, (db) => writeLoad(db, sizes, context));
  },
});

function sizesIn(values: {
  members?: string | undefined;
  accounts?: string | undefined;
}): { members: number; accounts: number } | undefined {
  const members = Number(values.members);
  const accounts = values.accounts === undefined ? Math.ceil(members / 5) : Number(values.accounts);
  const isGood = Number.isInteger(members) && members >= 10 && members <= MAX_MEMBERS;
  return isGood && Number.isInteger(accounts) && accounts >= 1 && accounts <= members
    ? { members, accounts }
    : undefined;
}

async function writeLoad(
  db: Database,
  sizes: { members: number; accounts: number },
  { say, draw }: CommandContext,
): Promise<number> {
  const last = await findLastIds(db);
  const plan = planLoad(sizes, {
    firstMemberId: last.memberId + 1,
    firstAccountId: last.accountId + 1,
    firstConversationId: last.conversationId + 1,
    firstSubjectId: last.subjectId + 1,
  });
  const nowMs = Date.now();
  const passwordHash = await hashPassword(DEMONSTRATION_PASSWORD);
  const bar = (title: string, total: number) =>
    createProgressBar({ title: title.padEnd(13), total, draw, say }).advance;

  await writeAccounts(db, plan, { nowMs, wrote: bar('accounts', plan.accounts) });
  await writeMembers(db, plan, { passwordHash, nowMs, wrote: bar('members', plan.members) });
  await writeCrowd(db, plan, {
    nowMs,
    wrote: bar('conversations', plan.manyConversations + plan.manyMessages),
  });
  await writeHistories(db, plan, { nowMs });
  await writeStaff(db, plan, { passwordHash, nowMs });
  await tellLogins(db, plan, say);
  return 0;
}

async function tellLogins(db: Database, plan: LoadPlan, say: CommandContext['say']): Promise<void> {
  const owner = await findMember(db, plan.firstMemberId);
  const staff = await findMember(db, staffId(plan));
  say(`${plan.members} members in ${plan.accounts} accounts; every password is ${DEMONSTRATION_PASSWORD}`);
  say(`${owner?.email} owns the largest account, ${plan.firstAccountId}`);
  say(`its longest conversation is ${plan.firstConversationId}, with ${plan.manyMessages + 3} messages`);
  say(`${staff?.email} is staff with ${plan.grants} granted accounts`);
}
