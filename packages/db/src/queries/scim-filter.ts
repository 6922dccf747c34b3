import { and, eq, not, or, type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.js';

type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le';

/** A filter of SCIM (RFC 7644, section 3.4.2.2). Paths are in lower case and without the schema. */
export type ScimFilter =
  | {
      readonly kind: 'compare';
      readonly path: string;
      readonly op: Comparison;
      readonly value: string | number | boolean | null;
    }
  | { readonly kind: 'present'; readonly path: string }
  | { readonly kind: 'and' | 'or'; readonly filters: readonly ScimFilter[] }
  | { readonly kind: 'not'; readonly filter: ScimFilter }
  /** One value of a multi-valued attribute has all that the filter asks. */
  | { readonly kind: 'within'; readonly path: string; readonly filter: ScimFilter };

/** A filter with an unknown attribute, or with a comparison that is not possible. */
export class ScimFilterError extends Error {
  override readonly name = 'ScimFilterError';
}

/** What a filter can compare: text in any case, text as it is, a flag, an instant. */
export type ScimAttribute =
  | { readonly kind: 'text' | 'exact'; readonly sql: SQL; readonly equals?: (value: string) => SQL }
  | { readonly kind: 'flag'; readonly sql: SQL }
  | { readonly kind: 'instant'; readonly sql: SQL }
  /** Values in other rows, of which at least one must match. */
  | {
      readonly kind: 'rows';
      readonly attributes: ScimAttributes;
      readonly some: (condition: SQL) => SQL;
    }
  /** The only value of a multi-valued attribute. */
  | { readonly kind: 'only'; readonly attributes: ScimAttributes };

export type ScimAttributes = Readonly<Record<string, ScimAttribute>>;

const NEVER = sql`1 = 0`;
const ALWAYS = sql`1 = 1`;

/**
 * The condition of a filter, with all of its values bound. Each part is true or false, never null, so that `not` means its
 * opposite.
 * @throws {ScimFilterError}
 */
export function scimCondition(attributes: ScimAttributes, filter: ScimFilter): SQL {
  switch (filter.kind) {
    case 'and':
      return and(...filter.filters.map((each) => scimCondition(attributes, each))) ?? ALWAYS;
    case 'or':
      return or(...filter.filters.map((each) => scimCondition(attributes, each))) ?? NEVER;
    case 'not':
      return not(sql`(${scimCondition(attributes, filter.filter)})`);
    case 'within': {
      const found = attributeAt(attributes, filter.path);
      if (found.kind !== 'rows' && found.kind !== 'only')
        throw new ScimFilterError(`${filter.path} has no values to choose from`);
      const inner = scimCondition(found.attributes, filter.filter);
      return found.kind === 'rows' ? found.some(inner) : inner;
    }
    case 'present':
    case 'compare':
      return leafCondition(attributes, filter);
  }
}

type Leaf = Extract<ScimFilter, { readonly kind: 'present' | 'compare' }>;

function leafCondition(attributes: ScimAttributes, leaf: Leaf): SQL {
  const whole = Object.hasOwn(attributes, leaf.path) ? attributes[leaf.path] : undefined;
  const at = leaf.path.indexOf('.');
  if (whole === undefined && at > 0) {
    const parent = attributeAt(attributes, leaf.path.slice(0, at));
    if (parent.kind !== 'rows' && parent.kind !== 'only') throw unknown(leaf.path);
    return withinCondition(parent, { ...leaf, path: leaf.path.slice(at + 1) });
  }
  if (whole === undefined) throw unknown(leaf.path);
  // `members eq "u1"` means the value.
  if (whole.kind === 'rows' || whole.kind === 'only')
    return withinCondition(whole, { ...leaf, path: 'value' });
  if (leaf.kind === 'present') return presentCondition(whole);
  const { op, value } = leaf;
  if (value === null) {
    if (op === 'eq') return not(presentCondition(whole));
    if (op === 'ne') return presentCondition(whole);
    throw new ScimFilterError(`${op} cannot compare with null`);
  }
  if (op === 'ne') return not(sql`(${leafCondition(attributes, { ...leaf, op: 'eq' })})`);
  switch (whole.kind) {
    case 'flag':
      return flagCondition(whole.sql, leaf.path, op, value);
    case 'instant':
      return instantCondition(whole.sql, leaf.path, op, value);
    case 'text':
    case 'exact':
      return textCondition(whole, leaf.path, op, value);
  }
}

function withinCondition(
  parent: Extract<ScimAttribute, { readonly kind: 'rows' | 'only' }>,
  leaf: Leaf,
): SQL {
  const inner = leafCondition(parent.attributes, leaf);
  return parent.kind === 'rows' ? parent.some(inner) : inner;
}

function attributeAt(attributes: ScimAttributes, path: string): ScimAttribute {
  const found = Object.hasOwn(attributes, path) ? attributes[path] : undefined;
  if (found === undefined) throw unknown(path);
  return found;
}

function unknown(path: string): ScimFilterError {
  return new ScimFilterError(`There is no attribute ${path} to filter by`);
}

function presentCondition(attribute: Exclude<ScimAttribute, { readonly kind: 'rows' | 'only' }>): SQL {
  const column = attribute.sql;
  if (attribute.kind === 'flag' || attribute.kind === 'instant') return sql`${column} is not null`;
  return sql`(${column} is not null and ${column} <> '')`;
}

function flagCondition(column: SQL, path: string, op: Comparison, value: string | number | boolean): SQL {
  const wanted = typeof value === 'string' ? FLAGS.get(value.toLowerCase()) : value;
  if (op !== 'eq' || typeof wanted !== 'boolean')
    throw new ScimFilterError(`${path} can only be compared with true or false, by eq or ne`);
  return wanted ? column : not(sql`(${column})`);
}

/** Entra writes flags as text. */
const FLAGS: ReadonlyMap<string, boolean> = new Map([
  ['true', true],
  ['false', false],
]);

const SIGNS: Readonly<Partial<Record<Comparison, SQL>>> = {
  eq: sql`=`,
  gt: sql`>`,
  ge: sql`>=`,
  lt: sql`<`,
  le: sql`<=`,
};

const ISO = /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d{1,9})?)?(Z|[+-]\d\d:\d\d)$/;

function instantCondition(column: SQL, path: string, op: Comparison, value: string | number | boolean): SQL {
  const sign = SIGNS[op];
  const atMs = typeof value === 'string' && ISO.test(value) ? Date.parse(value) : Number.NaN;
  if (sign === undefined || Number.isNaN(atMs))
    throw new ScimFilterError(`${path} can only be compared with an instant such as 2026-01-31T12:00:00Z`);
  return sql`(${column} is not null and ${column} ${sign} ${atMs})`;
}

function textCondition(
  { kind, sql: column, equals }: Extract<ScimAttribute, { readonly kind: 'text' | 'exact' }>,
  path: string,
  op: Comparison,
  value: string | number | boolean,
): SQL {
  if (typeof value !== 'string') throw new ScimFilterError(`${path} can only be compared with text`);
  if (op === 'eq' && equals !== undefined) return equals(value);
  // Both are folded by the database, in one way.
  const fold = (text: SQL) => (kind === 'text' ? sql`lower(${text})` : text);
  const stored = fold(column);
  const sent = fold(sql`${value}`);
  const sign = SIGNS[op];
  if (sign !== undefined) return sql`(${column} is not null and ${stored} ${sign} ${sent})`;
  const { length } = [...value];
  if (length === 0) return sql`${column} is not null`;
  const matches =
    op === 'co'
      ? sql`instr(${stored}, ${sent}) > 0`
      : op === 'sw'
        ? sql`substr(${stored}, 1, ${length}) = ${sent}`
        : sql`substr(${stored}, ${-length}) = ${sent}`;
  return sql`(${column} is not null and ${matches})`;
}

/** Text that every row has. */
export function constantAttribute(text: string): ScimAttribute {
  return { kind: 'text', sql: sql`${text}` };
}

/** Ids as they are sent: a letter and a number. */
export function idAttribute(db: Database, letter: string, column: SQL): ScimAttribute {
  const text = db.dialect === 'libsql' ? sql`(${letter} || ${column})` : sql`concat(${letter}, ${column})`;
  return {
    kind: 'exact',
    sql: text,
    equals: (value) => {
      const id = scimIdIn(letter, value);
      return id === undefined ? NEVER : eq(column, id);
    },
  };
}

/** The number in an id; undefined for a text that is no such id. */
export function scimIdIn(letter: string, text: string): number | undefined {
  if (!text.startsWith(letter)) return undefined;
  const digits = text.slice(letter.length);
  return /^[1-9]\d{0,14}$/.test(digits) ? Number(digits) : undefined;
}
