const HOUR_MS = 3_600_000;

/**
 * When an upgrade is over: an hour after a node that ignores levels and policies was last seen. Undefined if it is over
 * at this moment.
 */
export function upgradeEnd(oldNodeSeenAtMs: number | null | undefined, nowMs: number): number | undefined {
  if (typeof oldNodeSeenAtMs !== 'number') return undefined;
  const endMs = oldNodeSeenAtMs + HOUR_MS;
  return nowMs < endMs ? endMs : undefined;
}
