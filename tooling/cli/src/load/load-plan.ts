/** The sizes of a load. Every number of rows follows from the two that the operator gives. */
export interface LoadPlan {
  readonly members: number;
  readonly accounts: number;
  /** The ids the load begins with, behind those that are taken. */
  readonly firstMemberId: number;
  readonly firstAccountId: number;
  readonly firstConversationId: number;
  readonly firstSubjectId: number;
  /** How many of the accounts a member of staff is granted. */
  readonly grants: number;
  /** Conversations of the largest account, beyond the one that each account has. */
  readonly manyConversations: number;
  /** Messages of the longest conversation. */
  readonly manyMessages: number;
}

/** The load of so many members; the largest account has a hundredth of them. */
export function planLoad(
  sizes: { members: number; accounts: number },
  firstIds: Pick<LoadPlan, 'firstMemberId' | 'firstAccountId' | 'firstConversationId' | 'firstSubjectId'>,
): LoadPlan {
  return {
    ...sizes,
    ...firstIds,
    grants: Math.min(200, Math.ceil(sizes.accounts / 10)),
    manyConversations: Math.ceil(sizes.members / 50),
    manyMessages: Math.ceil(sizes.members / 10),
  };
}

/**
 * In which account, counted from 0, a member has their first membership. The first members own one account each; then
 * the largest account fills up to a hundredth of all members, nine to a thousandth each, ninety to a ten-thousandth
 * each, and whoever is left is scattered.
 */
export function homeAccount(plan: LoadPlan, member: number, scatter: (bound: number) => number): number {
  if (member < plan.accounts) return member;
  let seat = member - plan.accounts;
  for (const { accounts, from, size } of crowds(plan)) {
    if (seat < accounts * size) return from + Math.floor(seat / size);
    seat -= accounts * size;
  }
  return scatter(plan.accounts);
}

/** The ids of the owner of the largest account and of so many `others` of its members, if it has them, from that `seat` on. */
export function peopleOfLargestAccount(
  plan: LoadPlan,
  { seat, others }: { seat: number; others: number },
): number[] {
  const size = Math.min(Math.floor(plan.members / 100), plan.members - plan.accounts);
  const firstSeated = plan.firstMemberId + plan.accounts;
  return [
    plan.firstMemberId,
    ...Array.from({ length: Math.min(others, size) }, (_, next) => firstSeated + ((seat + next) % size)),
  ];
}

function crowds({ members, accounts: all }: LoadPlan) {
  return [
    { from: 0, accounts: 1, size: Math.floor(members / 100) },
    { from: 1, accounts: 9, size: Math.floor(members / 1_000) },
    { from: 10, accounts: 90, size: Math.floor(members / 10_000) },
  ].filter(({ from, accounts }) => from + accounts <= all);
}
