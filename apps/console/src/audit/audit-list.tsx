import { usePages } from '@gatehouse/ui/list/paged-list';
import { PagedTable } from '@gatehouse/ui/list/paged-table';
import { Chevron } from '@gatehouse/ui/parts/icons';
import { At } from '@gatehouse/ui/screen/ago';
import { showsUtc } from '@gatehouse/ui/screen/shown-time';
import { type Column, TITLE_CELL } from '@gatehouse/ui/table/data-table';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { LINK } from '../shell/action-links.js';
import { actionWords } from './actions/action-words.js';
import { type AuditFilters, askedBy } from './audit-filters.js';
import type { Entry } from './entry.js';
import { EntryDetail } from './entry-detail.js';
import { t } from './words.js';

/** The lines of the audit log that match, newest first. */
export const useEntries = (filters: AuditFilters) =>
  usePages<Entry>(
    // Whether times are in UTC decides when a day begins.
    ['audit', filters, showsUtc()],
    (page, signal) => gatehouse.api.audit.list.query({ ...askedBy(filters), ...page }, { signal }),
    { keepsPrevious: true },
  );

/** Lines of the audit log, newest first; each opens to its details. */
export function AuditList({ filters }: { readonly filters: AuditFilters }): ReactElement {
  const list = useEntries(filters);
  const [open, setOpen] = useState<number>();
  return (
    <PagedTable
      list={list}
      none={t(filters.request === undefined ? 'audit.none' : 'audit.noneOfRequest')}
      label={t('audit.title')}
      columns={columnsOf(open, setOpen)}
      nameOf={({ action }) => actionWords(action) ?? action}
      detail={{ open, show: (entry) => <EntryDetail entry={entry} /> }}
    />
  );
}

function columnsOf(
  open: number | undefined,
  onOpen: (id: number | undefined) => void,
): readonly Column<Entry>[] {
  return [
    {
      key: 'at',
      title: t('audit.at'),
      className: 'w-44 text-quiet',
      cell: ({ at }) => <At at={at} />,
    },
    {
      key: 'action',
      title: t('audit.event'),
      className: TITLE_CELL,
      cell: ({ id, action }, tabIndex) => (
        <button
          type="button"
          tabIndex={tabIndex}
          aria-expanded={open === id}
          onClick={() => onOpen(open === id ? undefined : id)}
          className="inline-flex min-h-6 cursor-pointer items-center gap-1 text-start font-semibold"
        >
          {actionWords(action) ?? <bdi className="font-mono">{action}</bdi>}
          <Chevron isOpen={open === id} />
        </button>
      ),
    },
    {
      key: 'actor',
      title: t('audit.actor'),
      className: 'w-40',
      cell: ({ actorId, actorName }, tabIndex) =>
        actorId === null ? (
          <span className="text-quiet">{t('audit.operator')}</span>
        ) : (
          <Person id={actorId} name={actorName} words={t('audit.by')} tabIndex={tabIndex} />
        ),
    },
    {
      key: 'subject',
      title: t('audit.affected'),
      className: 'w-44',
      cell: (entry, tabIndex) => <Affected entry={entry} tabIndex={tabIndex} />,
    },
    {
      key: 'address',
      title: t('audit.address'),
      className: 'w-36 max-wide:rows:hidden',
      cell: ({ address }) =>
        address === null ? null : (
          <>
            <span className="text-quiet rows:hidden">{t('audit.from')} </span>
            <bdi className="font-mono text-quiet">{address}</bdi>
          </>
        ),
    },
  ];
}

/** Whether Tab stops at the links of a row; arrows move from row to row. */
interface Reached {
  readonly tabIndex: 0 | -1;
}

interface Named {
  readonly id: number;
  readonly name: string | null;
}

/** The member that a line is about if another did it, and the organization. */
function Affected({ entry, tabIndex }: { readonly entry: Entry } & Reached): ReactElement {
  const about = personOf(entry);
  const place = placeOf(entry);
  return (
    <>
      {about === undefined ? null : (
        <Person id={about.id} name={about.name} words={t('audit.for')} tabIndex={tabIndex} />
      )}
      {place === undefined ? null : (
        <Link
          to="/accounts/$accountId"
          params={{ accountId: String(place.id) }}
          tabIndex={tabIndex}
          className={`${LINK} ${about === undefined ? '' : 'max-rows:ms-3 rows:flex'}`}
        >
          <bdi>{place.name ?? `#${place.id}`}</bdi>
        </Link>
      )}
    </>
  );
}

function personOf({
  actorId,
  onBehalfOfId,
  onBehalfOfName,
  subjectKind,
  subjectId,
  subjectName,
}: Entry): Named | undefined {
  const about =
    subjectKind === 'member' && subjectId !== null
      ? { id: Number(subjectId), name: subjectName }
      : { id: onBehalfOfId, name: onBehalfOfName };
  const { id, name } = about;
  return id === null || id === actorId ? undefined : { id, name };
}

/** The organization that a line is about, or in which something was done. */
function placeOf({ accountId, accountName, subjectKind, subjectId, subjectName }: Entry): Named | undefined {
  if (subjectKind === 'account' && subjectId !== null) return { id: Number(subjectId), name: subjectName };
  return accountId === null ? undefined : { id: accountId, name: accountName };
}

/** A member by name; by the id where the data is erased. */
function Person({ id, name, words, tabIndex }: Named & Reached & { readonly words: string }): ReactElement {
  return (
    <span>
      <span className="text-quiet rows:hidden">{words} </span>
      <Link to="/members/$memberId" params={{ memberId: String(id) }} tabIndex={tabIndex} className={LINK}>
        <bdi>{name ?? `#${id}`}</bdi>
      </Link>
    </span>
  );
}
