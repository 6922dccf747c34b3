/** Remembers whether the database had room for the latest write. */
export interface RoomWatch {
  /** A write was refused for lack of room. */
  refused(): void;
  /** A write succeeded. */
  wrote(): void;
  isFull(): boolean;
}

/** On a full disk a write that needs no more space sometimes succeeds, so one success proves little. */
const SETTLED_MS = 10_000;

export function createRoomWatch(monotonicNow: () => number = () => performance.now()): RoomWatch {
  let refusedAtMs: number | undefined;
  return {
    refused() {
      refusedAtMs = monotonicNow();
    },
    wrote() {
      if (refusedAtMs !== undefined && monotonicNow() - refusedAtMs >= SETTLED_MS) refusedAtMs = undefined;
    },
    isFull: () => refusedAtMs !== undefined,
  };
}
