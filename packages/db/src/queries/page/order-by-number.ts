/** The order of rows by a number, ascending. */
export function ascendingBy<Name extends string>(name: Name) {
  return (one: Readonly<Record<Name, number>>, other: Readonly<Record<Name, number>>): number =>
    one[name] - other[name];
}

/** The order of rows by a number, descending. */
export function descendingBy<Name extends string>(name: Name) {
  return (one: Readonly<Record<Name, number>>, other: Readonly<Record<Name, number>>): number =>
    other[name] - one[name];
}
