/** A quarter of an hour. The days of every time zone begin at the beginning of one. */
export const SLOT_MS = 900_000;

/** The quarter of an hour of an instant. */
export function slotOf(atMs: number): number {
  return Math.floor(atMs / SLOT_MS);
}
