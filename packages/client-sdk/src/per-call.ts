/** What one call may have of its own. */
export interface CallOptions {
  /** Acts in this account instead of the client's; null acts in none. */
  accountId?: number | null;
  /** Calls with this session token and does not touch the client's session; null calls without one. */
  token?: string | null;
  /** Calls with this token as `Authorization: Bearer`, as a partner's back end does, and without a session. */
  bearer?: string;
  /** Marks a mutation as safe to repeat, so it may be retried when its outcome is unknown. Queries always may. */
  isRepeatable?: boolean;
  /** Ends the call, and any waiting for another try. */
  signal?: AbortSignal;
}

/** The second argument of a call: `api.member.list.query({}, perCall({ accountId: 2 }))`. */
export function perCall({ signal, ...gatehouse }: CallOptions): {
  context: { gatehouse: Omit<CallOptions, 'signal'> };
  signal?: AbortSignal;
} {
  return { context: { gatehouse }, ...(signal === undefined ? {} : { signal }) };
}

/** The context `perCall` added to a call; empty without it. Only `perCall` and a client's links write this key. */
export function callOptionsIn(context: Readonly<Record<string, unknown>>): CallOptions {
  const { gatehouse } = context;
  return typeof gatehouse === 'object' && gatehouse !== null ? gatehouse : {};
}
