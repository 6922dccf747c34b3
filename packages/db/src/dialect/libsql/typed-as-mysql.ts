/**
 * Gives a value of the embedded dialect the type of its MySQL counterpart.
 *
 * At run time the value stays what it is. This holds because both dialects are spoken through one vocabulary and one
 * query builder, whose methods have the same names and results in both; every table and query runs on both databases
 * in the tests, so a difference fails there.
 */
export function typedAsMysql<Mysql>(embedded: object): Mysql {
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the guarantee is the one stated above
  return embedded as Mysql;
}
