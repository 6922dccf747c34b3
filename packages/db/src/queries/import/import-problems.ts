import type { ImportOutcome } from './import-outcome.js';

const problem = (text: string): ImportOutcome => ({ problem: text });

/** The reason why a row cannot be added, with the ids it refers to or conflicts with. */
export const importProblems = {
  memberIsAnother: (id: number) => problem(`member ${id} is there already, with another login identifier`),
  sidIsTaken: (by: number) => problem(`member ${by} has this login identifier`),
  usernameIsTaken: (by: number) => problem(`member ${by} has this username, or one that looks like it`),
  emailIsTaken: (by: number) => problem(`member ${by} has this e-mail address`),
  sidIsAddress: (by: number) => problem(`this login identifier is the e-mail address of member ${by}`),
  emailIsSid: (by: number) => problem(`this e-mail address is the login identifier of member ${by}`),
  accountIsAnother: (id: number) => problem(`account ${id} is there already, with another owner`),
  noOwner: (id: number) => problem(`its owner, member ${id}, is not there`),
  noMember: (id: number) => problem(`member ${id} is not there`),
  noStaff: (id: number) => problem(`member ${id} is not there, or not staff`),
  unprovenStaff: (id: number) =>
    problem(`nobody has proven the address of member ${id}: switch them off and on again as staff first`),
  noAccount: (id: number) => problem(`account ${id} is not there`),
} as const;
