import { is, Param, Placeholder } from 'drizzle-orm';

/** The parameters of a statement, with the values of its placeholders, which are stored as those of their columns. */
export function fillValues(params: readonly unknown[], values: object): unknown[] {
  const known = new Map<string, unknown>(Object.entries(values));
  return params.map((param) => {
    const placeholder: unknown = is(param, Param) ? param.value : param;
    if (!is(placeholder, Placeholder)) return param;
    const value = known.get(placeholder.name);
    if (value === undefined) throw new Error(`a statement was given no ${placeholder.name}`);
    return value === null || !is(param, Param) ? value : param.encoder.mapToDriverValue(value);
  });
}
