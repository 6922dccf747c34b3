interface PreparedQuery {
  queryWithCache(sql: string, params: unknown[], query: () => Promise<unknown>): Promise<unknown>;
}

interface Session {
  prepareQuery(...parts: unknown[]): PreparedQuery;
}

/**
 * Passes errors of a query through the builder unchanged. The builder would wrap them in an error whose
 * message contains every parameter, including passwords and tokens. It does so in `queryWithCache` of the
 * queries made by `prepareQuery`. A test checks the message on both databases, so that an upgrade cannot
 * bring this back.
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
