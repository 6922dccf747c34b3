/** The values of JSON. A field that is undefined is not written. */
type Writable =
  | null
  | boolean
  | number
  | string
  | readonly Writable[]
  | { readonly [name: string]: Writable | undefined };

/** The JSON text of a value as in RFC 8785: keys in the order of their UTF-16 units, no blanks. */
export function canonicalJson(value: Writable): string {
  if (isList(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const fields = Object.entries(value)
    .toSorted(([one], [other]) => (one < other ? -1 : 1))
    .flatMap(([name, field]) =>
      field === undefined ? [] : [`${JSON.stringify(name)}:${canonicalJson(field)}`],
    );
  return `{${fields.join(',')}}`;
}

const isList = (value: Writable): value is readonly Writable[] => Array.isArray(value);
