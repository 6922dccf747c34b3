import { isDeepStrictEqual } from 'node:util';
import type { SnapshotChange, SubscriptionSnapshot } from '../core/billing/billing-event.js';

/** A dated statement. For equal times `rank` decides, then the event's id. */
export interface Stamped<Value> {
  readonly value: Value;
  readonly atUs: number;
  /** Takes precedence over the time: a higher value wins over anything newer. */
  readonly weight: number;
  readonly rank: number;
  readonly eventId: string;
}

/**
 * The statement that takes precedence. The function is associative, commutative and idempotent, so the order,
 * number and timing of events do not matter.
 */
export function prevailing<Value>(
  known: Stamped<Value> | undefined,
  reported: Stamped<Value> | undefined,
): Stamped<Value> | undefined {
  if (known === undefined || reported === undefined) return known ?? reported;
  return compare(reported, known) > 0 ? reported : known;
}

function compare(left: Stamped<unknown>, right: Stamped<unknown>): number {
  const difference = left.weight - right.weight || left.atUs - right.atUs || left.rank - right.rank;
  if (difference !== 0) return difference;
  if (left.eventId === right.eventId) return 0;
  return left.eventId > right.eventId ? 1 : -1;
}

/** A snapshot, and what its event says about its place among the events of the same moment. */
interface ReportedSnapshot extends Stamped<SubscriptionSnapshot> {
  readonly change: SnapshotChange;
}

/** The merged snapshots of a subscription. */
export interface KnownSnapshots {
  /** The snapshots that can still matter: those of the two latest moments, and the end. */
  readonly recent?: readonly ReportedSnapshot[] | undefined;
  /** The latest of them. */
  readonly snapshot?: Stamped<SubscriptionSnapshot> | undefined;
  /** Whether nothing says which of several snapshots of one moment is the latest, so that `snapshot` is a guess. */
  readonly isUncertain?: true | undefined;
}

export const UNKNOWN_CHANGE: SnapshotChange = { before: null, after: null };

/** The rank of the provider's answer to a request: it decides within its moment. */
export const ASKED_RANK = 100;

/** Events of one moment beyond this are not kept. */
const MAX_OF_A_MOMENT = 12;

/** Up to this many events of one moment are put in order. */
const MAX_IN_ORDER = 6;

/** The known snapshots after one more. The order and number in which they arrive do not matter. */
export function withSnapshot(known: KnownSnapshots, reported: ReportedSnapshot): KnownSnapshots {
  const stored =
    known.recent ?? (known.snapshot === undefined ? [] : [{ ...known.snapshot, change: UNKNOWN_CHANGE }]);
  const all = stored.some((each) => each.eventId === reported.eventId) ? stored : [...stored, reported];
  const ended = latest(all.filter(({ weight }) => weight > 0));
  const open = all.filter(({ weight }) => weight === 0);
  const moments = [...new Set(open.map(({ atUs }) => atUs))].sort((left, right) => right - left).slice(0, 2);
  const [last = [], before = []] = moments.map((moment) =>
    ofMoment(open.filter(({ atUs }) => atUs === moment)),
  );
  const recent = [...before, ...last, ...(ended ? [ended] : [])];
  if (ended) return { recent, snapshot: plain(ended) };
  const { snapshot, isCertain } = lastOf(last, lastOf(before, null).snapshot?.change.after ?? null);
  return { recent, snapshot: snapshot && plain(snapshot), ...(isCertain ? {} : { isUncertain: true }) };
}

/** The snapshots of one moment that are kept; of the provider's answers only the latest. */
function ofMoment(all: readonly ReportedSnapshot[]): ReportedSnapshot[] {
  const byId = all.toSorted((left, right) => (left.eventId < right.eventId ? -1 : 1));
  const answer = byId.findLast(({ rank }) => rank === ASKED_RANK);
  return answer ? [answer] : byId.slice(-MAX_OF_A_MOMENT);
}

interface Last {
  readonly snapshot: ReportedSnapshot | undefined;
  readonly isCertain: boolean;
}

/**
 * The latest of the snapshots of one moment: the last one in those orders in which most events begin where the previous one
 * ended. Uncertain if these end differently.
 * @param start the fields before the moment, null if unknown
 */
function lastOf(events: readonly ReportedSnapshot[], start: string | null): Last {
  const guess = latest(events);
  if (events.every(({ value }) => isDeepStrictEqual(value, guess?.value)))
    return { snapshot: guess, isCertain: true };
  if (events.length > MAX_IN_ORDER) return { snapshot: guess, isCertain: false };
  let most = -1;
  let ends = new Set<ReportedSnapshot>();
  for (const order of ordersOf(events)) {
    const links = order.filter(({ change }, index) => {
      const reached = (index === 0 ? start : order[index - 1]?.change.after) ?? '';
      // An event that does not say what it changed may repeat another.
      return (change.before ?? change.after) === reached;
    }).length;
    const end = order.at(-1);
    if (links < most || end === undefined) continue;
    if (links > most) ends = new Set();
    most = links;
    ends.add(end);
  }
  const [end, ...others] = ends;
  const isCertain = others.every(({ value }) => isDeepStrictEqual(value, end?.value));
  return { snapshot: isCertain ? latest([...ends]) : guess, isCertain };
}

function* ordersOf<Item>(items: readonly Item[]): Generator<readonly Item[]> {
  if (items.length === 0) yield [];
  for (const [index, item] of items.entries())
    for (const rest of ordersOf(items.toSpliced(index, 1))) yield [item, ...rest];
}

function latest(all: readonly ReportedSnapshot[]): ReportedSnapshot | undefined {
  return all.reduce<ReportedSnapshot | undefined>((best, each) => {
    const chosen = prevailing<SubscriptionSnapshot>(best, each);
    return chosen === each ? each : best;
  }, undefined);
}

function plain({ value, atUs, weight, rank, eventId }: ReportedSnapshot): Stamped<SubscriptionSnapshot> {
  return { value, atUs, weight, rank, eventId };
}
