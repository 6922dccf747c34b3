import type { ScimFilter } from '@gatehouse/db/queries/scim-filter';
import { attributePath, parseFilter } from './parse-filter.js';
import { invalidValue, ScimError } from './scim-error.js';

/** What an operation of PATCH changes (RFC 7644, section 3.5.2). */
export interface PatchTarget {
  /** The attribute in lower case, `name.givenname` with its part. */
  readonly path: string;
  /** Which of its values; all of them without one. */
  readonly filter?: ScimFilter | undefined;
  /** The part of these values: `value` in `emails[type eq "work"].value`. */
  readonly part?: string | undefined;
}

export interface PatchOperation {
  readonly op: 'add' | 'replace' | 'remove';
  readonly target: PatchTarget;
  readonly value: unknown;
}

const MAX_OPERATIONS = 1_000;
const OPERATIONS = ['add', 'replace', 'remove'] as const;

/** Fields that directories repeat in operations without a path, and that change nothing. */
const REPEATED: ReadonlySet<string> = new Set(['id', 'schemas', 'meta']);

/** The own field of an object, whatever its case. */
export function fieldOf(value: Readonly<Record<string, unknown>>, name: string): unknown {
  const key = Object.keys(value).find((each) => each.toLowerCase() === name);
  return key === undefined ? undefined : value[key];
}

export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

/** The refusal of a path that names nothing. */
export function noTarget(path: string): ScimError {
  return new ScimError(400, 'noTarget', `There is no attribute ${path.slice(0, 100)}`);
}

/**
 * The operations of a PATCH, each on one attribute: one without a path is as many as its value has fields. Directories write
 * `op` in any case, and paths as names of fields.
 * @throws {ScimError} `invalidSyntax`, `invalidPath`, `invalidValue`, `noTarget`, `tooMany`
 */
export function patchOperations(body: Readonly<Record<string, unknown>>): PatchOperation[] {
  const sent = fieldOf(body, 'operations');
  if (!Array.isArray(sent) || sent.length === 0)
    throw new ScimError(400, 'invalidSyntax', 'Operations must be a list that is not empty');
  if (sent.length > MAX_OPERATIONS)
    throw new ScimError(400, 'tooMany', 'There are more than 1,000 operations');
  return sent.flatMap((each: unknown) => operationsIn(each));
}

function operationsIn(sent: unknown): PatchOperation[] {
  if (!isObject(sent)) throw new ScimError(400, 'invalidSyntax', 'Each operation is an object');
  const named = fieldOf(sent, 'op');
  const op = OPERATIONS.find((each) => typeof named === 'string' && each === named.toLowerCase());
  if (op === undefined) throw new ScimError(400, 'invalidSyntax', 'op is add, replace or remove');
  const path = fieldOf(sent, 'path');
  const value = fieldOf(sent, 'value');
  if (path !== undefined && path !== null && typeof path !== 'string')
    throw new ScimError(400, 'invalidPath', 'path must be text');
  if (typeof path === 'string' && path !== '') return [{ op, target: targetOf(path), value }];
  if (op === 'remove') throw new ScimError(400, 'noTarget', 'An operation that removes needs a path');
  if (!isObject(value)) throw invalidValue('An operation without a path needs an object as its value');
  return Object.entries(value)
    .filter(([name]) => !REPEATED.has(name.toLowerCase()))
    .map(([name, each]) => ({ op, target: targetOf(name), value: each }));
}

const WITH_FILTER = /^([^[\]]{1,200})\[(.{1,1024})\](?:\.([a-z$]\w{0,50}))?$/is;

/** @throws {ScimError} `invalidPath`, `noTarget`, `invalidFilter` */
function targetOf(text: string): PatchTarget {
  const [, attribute, filter, part] = WITH_FILTER.exec(text) ?? [];
  if (attribute !== undefined && filter !== undefined) {
    const path = attributePath(attribute);
    if (path === undefined) throw noTarget(attribute);
    return { path, filter: parseFilter(filter), part: part?.toLowerCase() };
  }
  if (/[[\]]/.test(text)) throw new ScimError(400, 'invalidPath', 'The path cannot be read');
  const path = attributePath(text) ?? text.toLowerCase();
  return { path };
}

/** How many comparisons a filter makes of each value. */
export function comparisonsIn(filter: ScimFilter): number {
  switch (filter.kind) {
    case 'and':
    case 'or':
      return filter.filters.reduce((sum, each) => sum + comparisonsIn(each), 0);
    case 'not':
    case 'within':
      return comparisonsIn(filter.filter);
    case 'present':
    case 'compare':
      return 1;
  }
}

/** Whether a value of a multi-valued attribute has what a filter requires; its parts by their names in lower case. */
export function isChosen(filter: ScimFilter, value: Readonly<Record<string, string | boolean>>): boolean {
  switch (filter.kind) {
    case 'and':
      return filter.filters.every((each) => isChosen(each, value));
    case 'or':
      return filter.filters.some((each) => isChosen(each, value));
    case 'not':
      return !isChosen(filter.filter, value);
    case 'present':
      return Object.hasOwn(value, filter.path);
    case 'within':
      throw new ScimError(400, 'invalidPath', 'The path has a filter within a filter');
    case 'compare': {
      const { op, path, value: wanted } = filter;
      if (op !== 'eq' && op !== 'ne')
        throw new ScimError(400, 'invalidFilter', 'Paths compare with eq and ne alone');
      const own = Object.hasOwn(value, path) ? value[path] : undefined;
      const isEqual =
        typeof wanted === 'boolean' || typeof own === 'boolean'
          ? String(own).toLowerCase() === String(wanted).toLowerCase()
          : own !== undefined && own.toLowerCase() === String(wanted).toLowerCase();
      return op === 'eq' ? isEqual : !isEqual;
    }
  }
}
