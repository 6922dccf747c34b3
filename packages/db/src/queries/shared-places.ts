import { and, eq, gt, inArray, lte, or } from 'drizzle-orm';
import type { Database } from '../database.js';
import { readDatabaseTime } from './database-clock.js';

/** A fixed number of places that all nodes share. They are held by the database's clock: those of the nodes differ. */
export interface SharedPlaces {
  readonly prefix: string;
  readonly count: number;
  /** For how long one is held, unless it is released. */
  readonly mostMs: number;
}

interface PlaceWanted extends SharedPlaces {
  /** Who wants it, without a colon. Nobody holds two. */
  readonly holder: string;
  /** A text that nobody else writes. */
  readonly token: string;
  /** A random whole number below another. */
  readonly pick: (below: number) => number;
}

/** The place that was taken, or why there was none: all are held, or the same holder has one. */
export type PlaceTaken = { readonly place: string; readonly token: string } | 'full' | 'held';

export async function takePlace(db: Database, wanted: PlaceWanted): Promise<PlaceTaken> {
  const { leases } = db.tables;
  const { holder, mostMs, pick } = wanted;
  const token = `${holder}:${wanted.token}`;
  const { free, known, holders, nowMs } = await readPlaces(db, wanted);
  if (free.length === 0) return 'full';
  if (holders.includes(holder)) return 'held';
  // Not all callers begin with the same one.
  const first = pick(free.length);
  for (const name of [...free.slice(first), ...free.slice(0, first)]) {
    if (!known.has(name)) await db.insertOnce(leases, { name, token: '', leaseUntilMs: 0, dueAtMs: 0 });
    const { leaseUntilMs } = leases;
    const isFree = or(lte(leaseUntilMs, nowMs), gt(leaseUntilMs, bogusAfter(nowMs, mostMs)));
    const taken = await db.write(
      db
        .update(leases)
        .set({ token, leaseUntilMs: nowMs + mostMs })
        .where(and(eq(leases.name, name), isFree)),
    );
    if (taken !== 1) continue;
    // Another node may have taken one for the same holder since.
    const { holders: since } = await readPlaces(db, wanted);
    if (since.filter((each) => each === holder).length <= 1) return { place: name, token };
    await releasePlace(db, { place: name, token });
    return 'held';
  }
  return 'full';
}

/** Not just the one time: another caller may have read the clock later and taken a place since. */
const bogusAfter = (nowMs: number, mostMs: number) => nowMs + 2 * mostMs;

/** Whether a place was free for another holder. */
export async function isPlaceFree(db: Database, places: SharedPlaces): Promise<boolean> {
  const { free } = await readPlaces(db, places);
  return free.length > 0;
}

/** A place is free whose time has passed, and also one that is held for twice as long as anybody may. */
async function readPlaces(db: Database, { prefix, count, mostMs }: SharedPlaces) {
  const { leases } = db.tables;
  const names = Array.from({ length: count }, (_, at) => `${prefix}:${at}`);
  const { name, token, leaseUntilMs } = leases;
  const rows = await db.select({ name, token, leaseUntilMs }).from(leases).where(inArray(name, names));
  const nowMs = await readDatabaseTime(db);
  const held = rows.filter(
    (row) => row.leaseUntilMs > nowMs && row.leaseUntilMs <= bogusAfter(nowMs, mostMs),
  );
  const heldNames = new Set(held.map((row) => row.name));
  return {
    nowMs,
    known: new Set(rows.map((row) => row.name)),
    free: names.filter((each) => !heldNames.has(each)),
    holders: held.map((row) => row.token.split(':')[0]),
  };
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
