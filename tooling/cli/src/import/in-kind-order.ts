import type { PartnerOutcome } from '@gatehouse/features/partner/add-partner';
import { type ImportRecord, RECORD_KINDS, type RecordKind } from './import-record.js';

/**
 * A record's outcome. `needs` names an earlier record it refers to that could not be imported; `secretKey` is the one generated
 * for a partner.
 */
export type RecordOutcome = PartnerOutcome | { readonly needs: string };

/**
 * Writes records by kind: people, then accounts, then memberships. A record that refers to a failed one is
 * skipped, because another record may have its id.
 * @param bad names of earlier records that are invalid
 * @param write writes the records at these indexes, all of one kind
 */
export async function inKindOrder(
  records: readonly ImportRecord[],
  bad: ReadonlySet<string>,
  write: (kind: RecordKind, places: readonly number[]) => Promise<PartnerOutcome[]>,
): Promise<RecordOutcome[]> {
  const isBad = new Set(bad);
  const outcomes = new Map<number, RecordOutcome>();
  for (const kind of RECORD_KINDS) {
    const places = [...records.keys()].filter((at) => records[at]?.kind === kind);
    const needsAt = (at: number) => namedBy(records[at]).find((name) => isBad.has(name));
    const free = places.filter((at) => needsAt(at) === undefined);
    const written = await write(kind, free);
    for (const [index, at] of free.entries()) outcomes.set(at, written[index] ?? { problem: 'was left out' });
    for (const at of places) {
      const needs = needsAt(at);
      if (!outcomes.has(at)) outcomes.set(at, { needs: needs ?? '' });
      const outcome = outcomes.get(at);
      const name = nameOf(records[at]);
      if (typeof outcome === 'object' && name !== undefined) isBad.add(name);
    }
  }
  return records.map((_, at) => outcomes.get(at) ?? { problem: 'was left out' });
}

/** The name other records use for this one, if they can refer to it. */
export function nameOf(record: ImportRecord | undefined): string | undefined {
  if (record?.kind === 'member') return `member ${record.row.id}`;
  return record?.kind === 'account' ? `account ${record.row.id}` : undefined;
}

function namedBy(record: ImportRecord | undefined): string[] {
  switch (record?.kind) {
    case 'account':
      return [`member ${record.row.ownerId}`];
    case 'foreignId':
      return record.row.memberId === null
        ? [`account ${record.row.accountId}`]
        : [`member ${record.row.memberId}`];
    case 'connection':
    case 'totp':
    case 'passkey':
      return [`member ${record.row.memberId}`];
    case 'membership':
      return [`member ${record.row.memberId}`, `account ${record.row.accountId}`];
    case 'personnelAccess':
      return [`member ${record.row.personnelId}`, `account ${record.row.accountId}`];
    case 'subscription':
      return [`account ${record.row.accountId}`];
    default:
      return [];
  }
}

/** A record as shown to an operator. */
export function describeRecord(record: ImportRecord): string {
  switch (record.kind) {
    case 'member':
    case 'account':
      return `${record.kind} ${record.row.id}`;
    case 'foreignId':
      return record.row.memberId === null
        ? `id of account ${record.row.accountId} in ${record.row.source}`
        : `id of member ${record.row.memberId} in ${record.row.source}`;
    case 'connection':
      return `connection of member ${record.row.memberId}`;
    case 'totp':
      return `authenticator app of member ${record.row.memberId}`;
    case 'passkey':
      return `passkey of member ${record.row.memberId}`;
    case 'membership':
      return `member ${record.row.memberId} in account ${record.row.accountId}`;
    case 'personnelAccess':
      return `access of member ${record.row.personnelId} to account ${record.row.accountId}`;
    case 'subscription':
      return `subscription of account ${record.row.accountId}`;
    case 'partner':
      return `partner ${record.row.name}`;
  }
}
