/** The plain form `<id>_<milliseconds>_<id>` that old clients expect to be given. It opens nothing. */
export function plainToken(memberId: number, nowMs: number): string {
  return `${memberId}_${nowMs}_${memberId}`;
}
