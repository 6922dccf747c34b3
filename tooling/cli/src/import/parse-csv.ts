/** The characters that may separate the fields of a CSV file. */
const SEPARATORS = [',', ';', '\t'] as const;

export type Separator = (typeof SEPARATORS)[number];

/** The separator of a file, which its header has most often. */
export function separatorIn(header: string): Separator {
  const counts = SEPARATORS.map((separator) => [separator, header.split(separator).length] as const);
  const [most] = counts.toSorted(([, one], [, other]) => other - one);
  return most?.[0] ?? ',';
}

/** The fields of a record as in RFC 4180; undefined if a quote is in a wrong place. */
export function parseCsv(text: string, separator: Separator): string[] | undefined {
  const fields: string[] = [];
  let at = 0;
  for (;;) {
    if (text[at] === '"') {
      const end = closingQuote(text, at + 1);
      if (end === undefined) return undefined;
      fields.push(text.slice(at + 1, end).replaceAll('""', '"'));
      at = end + 1;
    } else {
      const next = text.indexOf(separator, at);
      const end = next === -1 ? text.length : next;
      const field = text.slice(at, end);
      if (field.includes('"')) return undefined;
      fields.push(field);
      at = end;
    }
    if (at === text.length) return fields;
    if (text[at] !== separator) return undefined;
    at += 1;
  }
}

function closingQuote(text: string, from: number): number | undefined {
  let at = text.indexOf('"', from);
  while (at !== -1 && text[at + 1] === '"') at = text.indexOf('"', at + 2);
  return at === -1 ? undefined : at;
}
