import { and, eq, inArray, lte } from 'drizzle-orm';
import type { Database } from '../database.js';

/** Takes one of a fixed number of places that all nodes share, until a moment, or until it is released. */
interface PlaceWanted {
  readonly prefix: string;
  readonly count: number;
  /** A text that nobody else writes. */
  readonly token: string;
  readonly nowMs: number;
  readonly untilMs: number;
  /** A random whole number below another. */
  readonly pick: (below: number) => number;
}

/** The name of the place that was taken; undefined while all are taken. */
export async function takePlace(
  db: Database,
  { prefix, count, token, nowMs, untilMs, pick }: PlaceWanted,
): Promise<string | undefined> {
  const { leases } = db.tables;
  const names = Array.from({ length: count }, (_, at) => `${prefix}:${at}`);
  const known = await db
    .select({ name: leases.name, leaseUntilMs: leases.leaseUntilMs })
    .from(leases)
    .where(inArray(leases.name, names));
  const untilOf = new Map(known.map(({ name, leaseUntilMs }) => [name, leaseUntilMs]));
  const free = names.filter((name) => (untilOf.get(name) ?? 0) <= nowMs);
  // Not all callers begin with the same one.
  const first = pick(Math.max(1, free.length));
  for (const name of [...free.slice(first), ...free.slice(0, first)]) {
    if (!untilOf.has(name)) await db.insertOnce(leases, { name, token: '', leaseUntilMs: 0, dueAtMs: 0 });
    const taken = await db.write(
      db
        .update(leases)
        .set({ token, leaseUntilMs: untilMs })
        .where(and(eq(leases.name, name), lte(leases.leaseUntilMs, nowMs))),
    );
    if (taken === 1) return name;
  }
  return undefined;
}

/** Frees a place that this token still holds. */
export async function releasePlace(
  db: Database,
  { place, token }: { readonly place: string; readonly token: string },
): Promise<void> {
  const { leases } = db.tables;
  await db.write(
    db
      .update(leases)
      .set({ leaseUntilMs: 0 })
      .where(and(eq(leases.name, place), eq(leases.token, token))),
  );
}
