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

const FIRST_NAMES = (
  'Ada Aisha Alma Amara Anton Aron Astrid Bela Bjorn Bruno Carmen Chiara Clara Daniel Dara Elif Emil Esra Farid Fatima ' +
  'Felix Freya Gita Goran Greta Hana Hugo Ida Igor Ines Ivo Jana Jonas Kamal Karin Kofi Laila Lars Leila Lina Luca ' +
  'Magnus Maren Mateo Milan Mina Nadia Nils Noor Olga Omar Otto Paula Pavel Petra Rafael Rania Rosa Sami Sara Selma ' +
  'Sven Tariq Tessa Tomas Ulla Uma Vera Viktor Wanda Xenia Yara Yusuf Zoe'
).split(' ');

const LAST_NAMES = (
  'Abidi Adler Almeida Bakker Baumann Berg Brandt Castro Cohen Conti Dahl Dimitrov Duarte Eriksen Ferrari Fischer ' +
  'Fontaine Garcia Haddad Hansen Horvat Ivanov Jensen Kaya Keller Kovacs Kowalski Larsen Lindqvist Lopez Marsh Mbeki ' +
  'Meyer Moreau Nakamura Nguyen Novak Okafor Osei Papadakis Pereira Petrov Quist Ramos Ricci Rossi Ruiz Sato Schmidt ' +
  'Silva Singh Sorensen Tanaka Toth Ullmann Vargas Vogel Wagner Weiss Yilmaz Zeman'
).split(' ');

/** A generated member. Their id makes the username unique. */
interface MadeUpPerson {
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
}

export function madeUpPerson(id: number, random: RandomNumbers): MadeUpPerson {
  const firstName = oneOf(FIRST_NAMES, random);
  const lastName = oneOf(LAST_NAMES, random);
  return { firstName, lastName, username: `${firstName}.${lastName}${id}`.toLowerCase() };
}

const TRADES =
  'Studio Labs Works Foods Media Travel Books Garden Motors Health Design Music Sports Tools'.split(' ');

/** The name of a generated account. Several share one, as in real life. */
export function madeUpAccountName(random: RandomNumbers): string {
  return `${oneOf(LAST_NAMES, random)} ${oneOf(TRADES, random)} ${oneOf(FIRST_NAMES, random)}`;
}

function oneOf<Item>(items: readonly Item[], random: RandomNumbers): Item {
  const item = items[random.below(items.length)];
  if (item === undefined) throw new RangeError('Nothing to choose from');
  return item;
}

/** Random numbers below a limit. The sequence is the same on every run, so equal loads are identical. */
interface RandomNumbers {
  /** A whole number from 0 to `bound` - 1. */
  below(bound: number): number;
}

/** The generator known as mulberry32: small, fast, and good enough to distribute rows. */
export function createRandomNumbers(seed: number): RandomNumbers {
  let state = seed;
  return {
    below(bound) {
      state = (state + 0x6d2b79f5) | 0;
      let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
      mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
      return Math.floor((((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32) * bound);
    },
  };
}
