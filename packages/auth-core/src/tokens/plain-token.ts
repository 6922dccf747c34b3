/** The plain form `<id>_<milliseconds>_<id>` that old clients expect. It grants no access. */
export function plainToken(memberId: number, nowMs: number): string {
  return `${memberId}_${nowMs}_${memberId}`;
}
