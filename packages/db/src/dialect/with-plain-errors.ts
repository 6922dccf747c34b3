interface PreparedQuery {
  queryWithCache(sql: string, params: unknown[], query: () => Promise<unknown>): Promise<unknown>;
}

interface Session {
  prepareQuery(...parts: unknown[]): PreparedQuery;
}

/**
 * Lets errors of a query leave the builder as they are.
 *
 * The builder would wrap them in one whose message holds every parameter, and so passwords and tokens. Its sessions of
 * both dialects make their queries in `prepareQuery` and send them through `queryWithCache`; a test reads the message
 * of a failing query on both databases, so that another version of the builder cannot change this unseen.
 */
export function withPlainErrors<Builder extends object>(builder: Builder): Builder {
  const { session } = withSession(builder);
  const prepareQuery = session.prepareQuery.bind(session);
  session.prepareQuery = (...parts) => {
    const prepared = prepareQuery(...parts);
    prepared.queryWithCache = (_sql, _params, query) => query();
    return prepared;
  };
  return builder;
}

function withSession(builder: object): { session: Session } {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builders of both dialects keep their session under this name, and the test named above fails if one does not
  return builder as { session: Session };
}
