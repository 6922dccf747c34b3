/** What one call may have of its own. */
export interface CallOptions {
  /** Acts in this account, whatever account the client acts in; null acts in none. */
  accountId?: number | null;
  /** Calls with this session token and leaves the client's own session alone; null calls without one. */
  token?: string | null;
  /** Calls with this token as `Authorization: Bearer`, as a partner's back end does, and without any session. */
  bearer?: string;
  /**
   * Says of a mutation that repeating it does no harm, so that it may be tried again when nobody knows whether the
   * first try was done. Queries always may.
   */
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

/** What `perCall` put into the context of a call; nothing where it was not used. Only it and a client's links write the key. */
export function callOptionsIn(context: Readonly<Record<string, unknown>>): CallOptions {
  const { gatehouse } = context;
  return typeof gatehouse === 'object' && gatehouse !== null ? gatehouse : {};
}
