import { parse, stringify } from 'yaml';
import { z } from 'zod';
import { CommandError } from '../command-error.js';
import { MOVED_KIND_NAMES, type MovedKindName, movedKind } from './moved-kinds.js';

const scalar = z.union([z.string(), z.number(), z.boolean().transform(Number), z.null()]);

/** A column; `detail.id` is a field inside the JSON of the column `detail`. Null if the old database has none. */
const column = z.string().min(1).nullable();

const place = z.strictObject({
  table: z.string().min(1),
  /** The columns by which its rows are read in portions. They find one row each. */
  key: z.array(z.string().min(1)).min(1),
  columns: z.record(z.string(), column),
  /** The names here for the values of a field: `{ token_status: { '1': valid } }`. */
  values: z.record(z.string(), z.record(z.string(), scalar)).default({}),
  /** The value of a column in rows that are moved back and have nothing for it. */
  fill: z.record(z.string(), scalar).default({}),
});

const corrections = z.record(z.string(), z.record(z.string(), scalar));

const kindNames = z.enum(MOVED_KIND_NAMES);

const shape = z
  .strictObject({
    tables: z.partialRecord(kindNames, place),
    /** Fields of single rows that differ from the old database: `{ members: { '17': { username: zoe } } }`. */
    corrections: z.partialRecord(kindNames, corrections).default({}),
  })
  .superRefine(({ tables }, context) => {
    for (const kind of MOVED_KIND_NAMES) {
      const found = tables[kind];
      if (found === undefined) continue;
      const { fields } = movedKind(kind);
      for (const field of Object.keys(found.columns))
        if (!(field in fields))
          context.addIssue({
            code: 'custom',
            path: ['tables', kind, 'columns', field],
            message: `is no field: there are ${Object.keys(fields).join(', ')}`,
          });
      for (const [field, { isNeeded }] of Object.entries(fields))
        if (isNeeded && (found.columns[field] ?? null) === null)
          context.addIssue({
            code: 'custom',
            path: ['tables', kind, 'columns', field],
            message: 'needs a column',
          });
    }
  });

/** Where the rows of one kind are in the old database. */
export type MovePlace = z.output<typeof place>;

/** Which tables and columns of the old database hold what. */
export type MoveMap = z.output<typeof shape>;

/**
 * Reads a map from its text.
 * @throws {CommandError} if it is not such a map
 */
export function readMoveMap(text: string, named: string): MoveMap {
  const parsed = shape.safeParse(parseYaml(text, named));
  if (parsed.success) return parsed.data;
  const issues = parsed.error.issues.map(({ path, message }) => `  ${path.join('.')}: ${message}`);
  throw new CommandError([`${named} is no map of the old database:`, ...issues].join('\n'));
}

function parseYaml(text: string, named: string): unknown {
  try {
    return parse(text);
  } catch (cause) {
    const [first] = cause instanceof Error ? cause.message.split('\n') : [];
    throw new CommandError(`${named} is no YAML: ${first}`, { cause });
  }
}

const HEAD = `Which tables and columns of the old database hold what. Edit it where a guess is wrong, and give it to --map.
null: there is no such column, and what docs/moving.md says is taken. values: what a value is called here.
fill: what a column of a row that goes back gets where there is nothing for it here, such as { tenantId: 1 }.
corrections: fields of single rows that differ, such as { members: { '17': { username: zoe } } }.
`;

/** The text of a map. */
export function writeMoveMap(map: MoveMap): string {
  const comment = HEAD.trimEnd().replaceAll(/^/gm, '# ');
  return `${comment}\n${stringify(map, { lineWidth: 0 })}`;
}

/** The place of a kind that has one. */
export function placesIn({ tables }: MoveMap): { readonly kind: MovedKindName; readonly place: MovePlace }[] {
  return MOVED_KIND_NAMES.flatMap((kind) => {
    const found = tables[kind];
    return found === undefined ? [] : [{ kind, place: found }];
  });
}
