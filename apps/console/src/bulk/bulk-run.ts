import { shownName } from '@gatehouse/ui/session/who-is-here';

/** The actions on many members at once. */
export const BULK_ACTIONS = ['confirm', 'end', 'ban', 'unban'] as const;

export type BulkAction = (typeof BULK_ACTIONS)[number];

/**
 * The state of one member of a run. `sent` was sent and has no answer, `lost` had no answer and is not done, `again` is to be
 * retried unless it is done after all.
 */
type ItemState = 'waiting' | 'sent' | 'lost' | 'again' | 'done' | 'refused';

export interface RunItem {
  readonly memberId: number;
  readonly state: ItemState;
  /** Why it was refused, in words. */
  readonly why?: string;
}

/** One action on many members. */
export interface BulkRun {
  readonly action: BulkAction;
  /** For the audit log, if the action takes a reason. */
  readonly reason: string;
  /** The newest mail before the run: newer ones were sent since. */
  readonly lastMailId: number;
  /** Whether the waiting members are to be skipped. */
  readonly isStopped: boolean;
  readonly items: readonly RunItem[];
}

/** The maximum number of members in a run. */
export const MAX_IN_RUN = 500;

/** A run with other states of some members. */
export function withItems(run: BulkRun, changed: readonly RunItem[]): BulkRun {
  const byId = new Map(changed.map((item) => [item.memberId, item]));
  return { ...run, items: run.items.map((item) => byId.get(item.memberId) ?? item) };
}

export const itemsIn = (run: BulkRun, ...states: readonly ItemState[]): readonly RunItem[] =>
  run.items.filter(({ state }) => states.includes(state));

/** Whether nothing is left to be sent or asked. */
export function isOver(run: BulkRun): boolean {
  if (itemsIn(run, 'sent').length > 0) return false;
  return run.isStopped || itemsIn(run, 'waiting', 'again').length === 0;
}

/** The same run for the members that are not done. It first asks whether a lost call was done. */
export function triedAgain(run: BulkRun): BulkRun {
  const changed = run.items.map(({ memberId, state, why }): RunItem => {
    if (state === 'lost' || state === 'again') return { memberId, state: 'again' };
    if (state === 'refused') return { memberId, state: 'waiting' };
    return why === undefined ? { memberId, state } : { memberId, state, why };
  });
  return { ...run, isStopped: false, items: changed };
}

/** The refused ones, by reason. */
export function refusals(run: BulkRun): ReadonlyMap<string, readonly RunItem[]> {
  const byWhy = new Map<string, RunItem[]>();
  for (const item of itemsIn(run, 'refused')) {
    const { why = '' } = item;
    byWhy.set(why, [...(byWhy.get(why) ?? []), item]);
  }
  return byWhy;
}

interface Named {
  readonly id: number;
  readonly firstName: string;
  readonly lastName: string;
  readonly username: string;
}

/** Only in this page's memory: what the browser stores of a run has ids and no names. */
const names = new Map<number, string>();

/** Remembers the names of members about to be selected. */
export function learnNames(members: readonly Named[]): void {
  for (const member of members) names.set(member.id, shownName(member));
}

/** The name of a member of a run; undefined after the page was left. */
export function nameOf(memberId: number): string | undefined {
  return names.get(memberId);
}
