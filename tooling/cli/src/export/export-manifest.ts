import { createHash, timingSafeEqual } from 'node:crypto';
import { type ColumnKind, listColumns } from '@gatehouse/db/queries/list-columns';
import { z } from 'zod';
import type { ExportCipher } from './export-cipher.js';
import { TABLE_PLANS, type TableName, type TablePlan } from './table-plans.js';

/** The name of the file that says that an export is complete. */
export const MANIFEST = 'manifest.json';

/** The version of the format of an export. The content of its tables is named by the `schema` of the manifest. */
export const EXPORT_VERSION = 1;

const SHA_256 = z.string().regex(/^[0-9a-f]{64}$/);

/** The content of an export, and how to tell that none of it was damaged or, for a holder of the key, changed. */
export const exportManifest = z.strictObject({
  format: z.literal('gatehouse-export'),
  version: z.int(),
  schema: z.string(),
  exportedAt: z.iso.datetime(),
  /** The check value of the key that encrypts the secrets; null for an export without them. */
  sealedWith: z.string().nullable(),
  files: z.record(
    z.string(),
    z.strictObject({
      rows: z.int().nonnegative(),
      bytes: z.int().nonnegative(),
      sha256: SHA_256,
    }),
  ),
  /** The code of all the rest under the key of the secrets; null for an export without them. */
  mac: SHA_256.nullable(),
});

export type ExportManifest = z.output<typeof exportManifest>;

/** The `mac` of a manifest. */
export function manifestMac(manifest: Omit<ExportManifest, 'mac'>, exported: ExportCipher): string {
  const { format, version, schema, exportedAt, sealedWith } = manifest;
  const files = Object.entries(manifest.files).toSorted(([one], [other]) => (one < other ? -1 : 1));
  return exported.authenticate(
    JSON.stringify([
      format,
      version,
      schema,
      exportedAt,
      sealedWith,
      files.map(([name, { rows, bytes, sha256 }]) => [name, rows, bytes, sha256]),
    ]),
  );
}

/** Whether the manifest was written by a holder of the key, and is unchanged. */
export function isAuthentic(manifest: ExportManifest, exported: ExportCipher): boolean {
  if (manifest.mac === null) return false;
  return timingSafeEqual(Buffer.from(manifest.mac), Buffer.from(manifestMac(manifest, exported)));
}

/** The name of the file of a table. */
export const fileOf = (table: TableName) => `${table}.ndjson`;

/** A field of a file. */
export interface ExportField {
  readonly name: string;
  readonly kind: ColumnKind;
  readonly isNullable: boolean;
  /** Whether it is only in exports with `--with-secrets`, encrypted. */
  readonly isSecret: boolean;
}

/** The fields of a table's file, in their order. */
export function fieldsOf(table: TableName): ExportField[] {
  const { secrets = {}, leftOut = {} }: TablePlan = TABLE_PLANS.get(table) ?? {};
  return listColumns(table)
    .filter(({ name }) => !Object.hasOwn(leftOut, name))
    .map((column) => ({ ...column, isSecret: Object.hasOwn(secrets, column.name) }));
}

/** A digest of all tables and their fields. An import accepts only an export with the same ones. */
export function schemaOf(): string {
  const fields = [...TABLE_PLANS.keys()].map((table) => [table, fieldsOf(table)]);
  return createHash('sha256').update(JSON.stringify(fields)).digest('hex').slice(0, 16);
}
