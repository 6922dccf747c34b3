interface HeldSecret {
  readonly name: string;
  readonly values: readonly string[];
}

/** Pairs of variables with the same secret. A key is not compared with its previous value. */
export function equalSecrets(held: readonly HeldSecret[]): [string, string][] {
  return held.flatMap(({ name, values }, position) =>
    held
      .slice(position + 1)
      .filter((other) => familyOf(other.name) !== familyOf(name))
      .filter((other) => other.values.some((value) => values.includes(value)))
      .map((other): [string, string] => [name, other.name]),
  );
}

function familyOf(name: string): string {
  return name.replace(/_PREVIOUS$/, '');
}
