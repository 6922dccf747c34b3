import { shownName } from '../session/shown-name.js';

interface Named {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
}

/** In this page alone: what is kept of a run in the browser has ids, and no names. */
const names = new Map<number, string>();

/** Keeps what those are called who are about to be chosen. */
export function learnNames(members: readonly Named[]): void {
  for (const member of members) names.set(member.id, shownName(member));
}

/** What a member of a run is called; undefined after the page was left. */
export function nameOf(memberId: number): string | undefined {
  return names.get(memberId);
}
