/**
 * Gives a value of the embedded dialect the type of its MySQL counterpart. The value does not change. This is
 * safe because both dialects share one vocabulary and one query builder with the same methods and results. The
 * tests run every table and query on both.
 */
export function typedAsMysql<Mysql>(embedded: object): Mysql {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the guarantee is the one stated above
  return embedded as Mysql;
}
