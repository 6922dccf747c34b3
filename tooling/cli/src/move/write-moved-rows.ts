import { type AccessTransaction, changeAccess } from '@gatehouse/db/queries/change-access';
import {
  changeImportedAccount,
  changeImportedGrant,
  changeImportedMember,
  changeImportedMembership,
  changeImportedSubscription,
} from '@gatehouse/db/queries/change-imported';
import { putMovedRows } from '@gatehouse/db/queries/moved-rows';
import { recordAudit } from '@gatehouse/features/audit/record-audit';
import { importPartner } from '@gatehouse/features/partner/add-partner';
import {
  dated,
  type ImportContext,
  importBatch,
  isAdded,
  toAccount,
  toMember,
  toSubscription,
  withStaffSettled,
} from '../import/import-batch.js';
import type { ImportRecord } from '../import/import-record.js';
import type { RecordOutcome } from '../import/in-kind-order.js';
import type { ContentKind } from './content-records.js';
import { type ContentWriter, createContentWriters } from './content-writers.js';
import type { MovedKindName } from './moved-kinds.js';
import type { MovedRecord } from './to-moved-row.js';

/** A row that can be written: its content, and the digest of it. */
export interface WritableRow {
  readonly key: string;
  readonly digest: string;
  readonly record: MovedRecord;
}

/** A moved row that has changed there since. */
export interface ChangedRow extends WritableRow {
  /** When it was last written. */
  readonly broughtAtMs: number;
}

/** The outcome for a written row. */
export type WrittenOutcome = RecordOutcome | 'changed';

/** Adds rows of one kind in one transaction, and stores their digests in it. Existing rows stay unchanged. */
export async function addMovedRows(
  context: ImportContext,
  kind: MovedKindName,
  rows: readonly WritableRow[],
): Promise<WrittenOutcome[]> {
  const keep = (tx: AccessTransaction, outcomes: readonly WrittenOutcome[]) =>
    putMovedRows(tx, kind, { rows: broughtOf(rows, outcomes), nowMs: context.nowMs });
  const records = rows.flatMap(({ record }) => (record.is === 'imported' ? [record.record] : []));
  if (records.length > 0) return importBatch(context, records, new Set(), keep);
  return inContent(context, rows, async (tx, writer, contents) => {
    const outcomes = await writer.add(tx, contents);
    const added = outcomes.filter((outcome) => outcome === 'added').length;
    if (added > 0) await audit(context, tx, { [kind]: added });
    await keep(tx, outcomes);
    return outcomes;
  });
}

/** Applies changes in rows of one kind, in one transaction. */
export async function changeMovedRows(
  context: ImportContext,
  kind: MovedKindName,
  rows: readonly ChangedRow[],
): Promise<WrittenOutcome[]> {
  const settle = async (tx: AccessTransaction, outcomes: readonly WrittenOutcome[]) => {
    const changed = outcomes.filter((outcome) => outcome === 'changed').length;
    if (changed > 0) await audit(context, tx, { changed: { [kind]: changed } });
    await putMovedRows(tx, kind, { rows: broughtOf(rows, outcomes), nowMs: context.nowMs });
  };
  const imported = rows.flatMap(({ record, broughtAtMs }) =>
    record.is === 'imported' ? [{ record: record.record, broughtAtMs }] : [],
  );
  if (imported.length === 0)
    return inContent(context, rows, async (tx, writer, contents) => {
      const outcomes: WrittenOutcome[] = [];
      for (const content of contents) outcomes.push(await writer.change(tx, content));
      await settle(tx, outcomes);
      return outcomes;
    });
  const writes = await Promise.all(
    imported.map(({ record, broughtAtMs }) => changeOf(context, record, broughtAtMs)),
  );
  const subjects = subjectsOf(imported.map(({ record }) => record));
  return changeAccess(context.db, subjects, async (tx) => {
    const outcomes: WrittenOutcome[] = [];
    for (const write of writes) outcomes.push(await write(tx));
    await settle(tx, outcomes);
    return outcomes;
  });
}

/** The digests of the existing rows. */
const broughtOf = (rows: readonly WritableRow[], outcomes: readonly WrittenOutcome[]) =>
  rows.flatMap(({ key, digest }, at) => (isHere(outcomes[at]) ? [{ rowKey: key, digest }] : []));

const isHere = (outcome: WrittenOutcome | undefined): boolean =>
  outcome === 'changed' || outcome === 'there' || (outcome !== undefined && isAdded(outcome));

async function audit(
  { audit: origin, nowMs }: ImportContext,
  tx: AccessTransaction,
  after: Record<string, unknown>,
): Promise<void> {
  await recordAudit(tx, origin, { atMs: nowMs, action: 'rows.imported', after });
}

type Write = (tx: AccessTransaction) => Promise<WrittenOutcome>;

/** How a change is written. Passwords are hashed before the transaction. */
async function changeOf(
  context: ImportContext,
  { kind, row }: ImportRecord,
  broughtAtMs: number,
): Promise<Write> {
  const { roles, nowMs } = context;
  switch (kind) {
    case 'member': {
      const member = await toMember(row, context);
      return (tx) => changeImportedMember(tx, member);
    }
    case 'account':
      return (tx) => changeImportedAccount(tx, toAccount(row, nowMs));
    case 'membership':
      return (tx) => changeImportedMembership(tx, dated(row, nowMs), broughtAtMs);
    case 'personnelAccess':
      return async (tx) => {
        const personnelIds = [row.personnelId];
        const change = async (
          inner: Parameters<typeof changeImportedGrant>[0],
        ): Promise<WrittenOutcome[]> => [await changeImportedGrant(inner, dated(row, nowMs), broughtAtMs)];
        const [outcome] = await withStaffSettled(tx, { roles, nowMs, personnelIds }, change);
        return outcome ?? 'changed';
      };
    case 'subscription':
      return (tx) => changeImportedSubscription(tx, toSubscription(row, nowMs));
    // A move has none of these.
    case 'foreignId':
    case 'connection':
    case 'totp':
    case 'passkey':
      return async () => 'there';
    case 'partner':
      return (tx) => importPartner({ ...context.audit, db: tx, nowMs, actorId: null }, row);
  }
}

function subjectsOf(records: readonly ImportRecord[]) {
  const members = records.flatMap(({ kind, row }) => {
    if (kind === 'member') return row.id;
    if (kind === 'membership') return row.memberId;
    return kind === 'personnelAccess' ? row.personnelId : [];
  });
  const accounts = records.flatMap(({ kind, row }) => {
    if (kind === 'account') return row.id;
    return kind === 'subscription' ? row.accountId : [];
  });
  return { members: [...new Set(members)], accounts: [...new Set(accounts)] };
}

/** Writes content of one kind in one transaction. */
async function inContent(
  { db, audit: origin, nowMs }: ImportContext,
  rows: readonly WritableRow[],
  write: (
    tx: AccessTransaction,
    writer: ContentWriter<ContentKind>,
    contents: readonly never[],
  ) => Promise<WrittenOutcome[]>,
): Promise<WrittenOutcome[]> {
  const [first] = rows;
  if (first === undefined || first.record.is === 'imported') return [];
  const writer = createContentWriters({ cipher: origin.services.cipher, nowMs })[
    first.record.is
  ] as ContentWriter<ContentKind>;
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the rows of one call are of one kind, and the writer is that of this kind
  const contents = rows.flatMap(({ record }) =>
    'row' in record ? record.row : [],
  ) as unknown as readonly never[];
  const members = [...new Set(contents.flatMap((content) => [...writer.membersOf(content)]))];
  return changeAccess(db, { members }, (tx) => write(tx, writer, contents));
}
