import { describe, expect, it } from 'vitest';
import { createRandomNumbers, homeAccount, peopleOfLargestAccount, planLoad } from './load-plan.js';

const first = { firstMemberId: 1, firstAccountId: 1, firstConversationId: 1, firstSubjectId: 1 };

function sizesOf(sizes: { members: number; accounts: number }): number[] {
  const plan = planLoad(sizes, first);
  const random = createRandomNumbers(1);
  const counts = Array.from({ length: plan.accounts }, () => 0);
  for (let member = 0; member < plan.members; member += 1) {
    const account = homeAccount(plan, member, random.below);
    counts[account] = (counts[account] ?? 0) + 1;
  }
  return counts;
}

describe('the plan of generated load', () => {
  it('gives every account an owner, and a few accounts very many members', () => {
    const counts = sizesOf({ members: 100_000, accounts: 20_000 });
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(1);
    expect(counts[0]).toBeGreaterThanOrEqual(1_000);
    expect(counts[9]).toBeGreaterThanOrEqual(100);
    expect(counts[99]).toBeGreaterThanOrEqual(10);
    expect(counts.reduce((sum, count) => sum + count, 0)).toBe(100_000);
  });

  it('is valid even for loads that are too small for a very large account', () => {
    expect(sizesOf({ members: 10, accounts: 10 })).toEqual(Array.from({ length: 10 }, () => 1));
    expect(sizesOf({ members: 10, accounts: 1 })).toEqual([10]);
  });

  it('lets only members of the largest account talk in it', () => {
    for (const sizes of [
      { members: 1_000, accounts: 1_000 },
      { members: 1_000, accounts: 995 },
      { members: 1_000, accounts: 100 },
      { members: 50, accounts: 10 },
    ]) {
      const plan = planLoad(sizes, first);
      const home = Array.from({ length: sizes.members }, (_, member) => homeAccount(plan, member, () => 1));
      for (const seat of [0, 7, 12_345]) {
        const people = peopleOfLargestAccount(plan, { seat, others: 4 });
        expect(new Set(people).size).toBe(people.length);
        expect(people.filter((id) => home[id - first.firstMemberId] !== 0)).toEqual([]);
      }
    }
  });

  it('is the same on every run', () => {
    expect(sizesOf({ members: 500, accounts: 50 })).toEqual(sizesOf({ members: 500, accounts: 50 }));
  });
});
