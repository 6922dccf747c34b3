/** The options of one call. */
export interface CallOptions {
  /** The account of this call, instead of the client's; null for none. */
  accountId?: number | null;
  /** The session token of this call. The client's session is not affected; null sends none. */
  token?: string | null;
  /** The token for `Authorization: Bearer`, as a partner's back end sends it, without a session. */
  bearer?: string;
  /** Marks a mutation as safe to repeat, so it may be retried when its outcome is unknown. Queries always may. */
  isRepeatable?: boolean;
  /** Aborts the call, and any wait for another try. */
  signal?: AbortSignal;
}

/** The second argument of a call: `api.member.list.query({}, perCall({ accountId: 2 }))`. */
export function perCall({ signal, ...gatehouse }: CallOptions): {
  context: { gatehouse: Omit<CallOptions, 'signal'> };
  signal?: AbortSignal;
} {
  return { context: { gatehouse }, ...(signal === undefined ? {} : { signal }) };
}

/** The options of a call, and the sign-in it began in. */
interface BegunCall extends CallOptions {
  readonly signIn?: number;
}

/** The context `perCall` added to a call; empty without it. Only `perCall` and a client's links write this key. */
export function callOptionsIn(context: Readonly<Record<string, unknown>>): BegunCall {
  const { gatehouse } = context;
  return typeof gatehouse === 'object' && gatehouse !== null ? gatehouse : {};
}
