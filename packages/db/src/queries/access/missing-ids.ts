/** The first missing ids above `afterId` and below the last of `ids`, at most `limit`. `ids` ascend. */
export function missingIds(afterId: number, ids: readonly number[], limit: number): number[] {
  const missing: number[] = [];
  let next = afterId + 1;
  for (const id of ids) {
    for (; next < id; next += 1) {
      if (missing.length === limit) return missing;
      missing.push(next);
    }
    next = Math.max(next, id + 1);
  }
  return missing;
}
