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
  told: Stamped<Value> | undefined,
): Stamped<Value> | undefined {
  if (known === undefined || told === undefined) return known ?? told;
  return compare(told, known) > 0 ? told : known;
}

function compare(left: Stamped<unknown>, right: Stamped<unknown>): number {
  const difference = left.weight - right.weight || left.atUs - right.atUs || left.rank - right.rank;
  if (difference !== 0) return difference;
  if (left.eventId === right.eventId) return 0;
  return left.eventId > right.eventId ? 1 : -1;
}
