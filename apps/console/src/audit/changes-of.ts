/** A field of what was changed, before and after. */
export interface Change {
  readonly name: string;
  readonly from: string | undefined;
  readonly to: string | undefined;
}

const LONGEST = 200;

/** What a line of the audit log says was changed, field by field. */
export function changesOf(before: unknown, after: unknown): readonly Change[] {
  const [old, next] = [fieldsOf(before), fieldsOf(after)];
  return [...new Set([...old.keys(), ...next.keys()])].map((name) => ({
    name,
    from: said(old.get(name)),
    to: said(next.get(name)),
  }));
}

function fieldsOf(value: unknown): ReadonlyMap<string, unknown> {
  if (value === null || value === undefined) return new Map();
  return new Map(Object.entries(typeof value === 'object' ? value : { value }));
}

function said(value: unknown): string | undefined {
  if (value === undefined) return undefined;
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > LONGEST ? `${[...text].slice(0, LONGEST).join('')} …` : text;
}
