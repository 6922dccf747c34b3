/** The sizes of a load. The operator gives two numbers, and the others are computed from them. */
export interface LoadPlan {
  readonly members: number;
  readonly accounts: number;
  /** The first ids of the load, after those in use. */
  readonly firstMemberId: number;
  readonly firstAccountId: number;
  readonly firstConversationId: number;
  readonly firstSubjectId: number;
  /** How many accounts the staff member is granted. */
  readonly grants: number;
  /** Conversations of the largest account, in addition to the one in every account. */
  readonly manyConversations: number;
  /** Messages of the longest conversation. */
  readonly manyMessages: number;
}

/** The load for a number of members. The largest account has a hundredth of them. */
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
 * The account, counted from 0, of a member's first membership. The first members own one account each. Then
 * the largest account gets a hundredth of all members, nine a thousandth each, ninety a ten-thousandth each.
 * The rest are distributed over the other accounts.
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

/** The ids of the largest account's owner and of up to `others` of its members, from index `seat` on. */
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
