import { type Database, OWN_RECORDS, type OwnRecord } from '@gatehouse/db';

/** The sections of an export. */
export type ExportSection = keyof typeof OWN_RECORDS;

export const EXPORT_SECTIONS = Object.keys(OWN_RECORDS).filter(isSection);

/** An exported record: times are ISO 8601, and names have no unit. */
export type ExportedRecord = Record<string, unknown>;

/** Up to `room` records of a member from a position on, and the position after them; undefined at the end. */
export async function readExport(
  db: Database,
  who: {
    readonly memberId: number;
    readonly emailKey: string | null;
    readonly level: number;
    readonly nowMs: number;
  },
  from: { readonly section: number; readonly afterId: number; readonly room: number },
): Promise<{
  readonly records: ReadonlyMap<ExportSection, ExportedRecord[]>;
  readonly next: { readonly section: number; readonly afterId: number } | undefined;
}> {
  const records = new Map<ExportSection, ExportedRecord[]>();
  let { afterId, room } = from;
  for (let section = from.section; section < EXPORT_SECTIONS.length; section += 1) {
    const name = EXPORT_SECTIONS[section];
    if (name === undefined) break;
    if (room === 0) return { records, next: { section, afterId: 0 } };
    const rows = await OWN_RECORDS[name](db, { ...who, afterId, limit: room + 1 });
    const taken = rows.slice(0, room);
    records.set(name, taken.map(toExported));
    const last = taken.at(-1);
    if (rows.length > room && last !== undefined) return { records, next: { section, afterId: last.id } };
    room -= taken.length;
    afterId = 0;
  }
  return { records, next: undefined };
}

function toExported(row: OwnRecord): ExportedRecord {
  return Object.fromEntries(
    Object.entries(row).map(([name, value]) => {
      if (!/(?:^at|At)Ms$/.test(name)) return [name, value];
      return [name.slice(0, -2), typeof value === 'number' ? new Date(value).toISOString() : null];
    }),
  );
}

function isSection(name: string): name is ExportSection {
  return Object.hasOwn(OWN_RECORDS, name);
}
