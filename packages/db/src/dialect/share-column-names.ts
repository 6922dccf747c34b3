interface Named {
  dialect: { casing: object };
}

/**
 * Lets all builders of a dialect share the names of columns. Each transaction has a builder of its own, which would
 * convert the names of every table it touches again.
 */
export function createNameSharing(): <Builder extends object>(builder: Builder) => Builder {
  let names: object | undefined;
  return (builder) => {
    const { dialect } = withDialect(builder);
    names ??= dialect.casing;
    dialect.casing = names;
    return builder;
  };
}

function withDialect(builder: object): Named {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the builders of both dialects keep their dialect and its names so; if one did not, statements would only be slower
  return builder as Named;
}
