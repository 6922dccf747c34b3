import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { PagedTable } from '@gatehouse/ui/list/paged-table';
import { Notice } from '@gatehouse/ui/parts/notice';
import { At } from '@gatehouse/ui/screen/ago';
import { type Column, TITLE_CELL } from '@gatehouse/ui/table/data-table';
import { useQueryClient } from '@tanstack/react-query';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import type { MailState } from '../address-filters.js';
import { gatehouse } from '../client.js';
import { LINK } from '../shell/action-links.js';
import { t } from '../words.js';
import { type ListedMail, type Mail, MailStatus, mailKindWords } from './mail-row.js';

/** Mails, newest first. Their text is never shown. */
export function MailList({
  queryKey,
  filter,
  mayRetry,
}: {
  readonly queryKey: readonly unknown[];
  readonly filter: {
    readonly memberId?: number;
    readonly search?: string | undefined;
    readonly state?: MailState | undefined;
    readonly kind?: string | undefined;
  };
  /** Whether one may try to deliver a mail again. */
  readonly mayRetry: (mail: Mail) => boolean;
}): ReactElement {
  const list = usePages<ListedMail>(
    queryKey,
    (page, signal) => gatehouse.api.mail.list.query({ ...page, ...filter }, { signal }),
    { keepsPrevious: true },
  );
  const queries = useQueryClient();
  const mutation = useMutationState();
  const [notice, setNotice] = useState<string>();
  const retry = ({ id, memberId }: Mail) =>
    mutation.send(async (signal) => {
      setNotice(undefined);
      await gatehouse.api.mail.retry.mutate({ mailId: id }, { signal });
      await queries.invalidateQueries({ queryKey: ['mail'] });
      if (memberId !== null) await queries.invalidateQueries({ queryKey: ['member', memberId] });
      setNotice(t('mail.retried'));
    });
  const isFiltered = [filter.search, filter.state, filter.kind].some((each) => each !== undefined);
  const columns: readonly Column<ListedMail>[] = [
    {
      key: 'at',
      title: t('list.time'),
      className: 'w-44 text-quiet',
      cell: ({ sentAt, at }) => <At at={sentAt ?? at} />,
    },
    {
      key: 'kind',
      title: t('mail.kind'),
      className: TITLE_CELL,
      cell: ({ kind }) => <span className="font-semibold">{mailKindWords(kind)}</span>,
    },
    {
      key: 'to',
      title: t('list.to'),
      className: 'w-52',
      cell: ({ memberId, memberName, address }) => (
        <>
          {memberId === null || memberName === null || filter.memberId !== undefined ? null : (
            <Link
              to="/members/$memberId"
              params={{ memberId: String(memberId) }}
              className={`${LINK} me-3 rows:flex`}
            >
              <bdi>{memberName}</bdi>
            </Link>
          )}
          <bdi className="text-quiet">{address}</bdi>
        </>
      ),
    },
    {
      key: 'state',
      title: t('list.status'),
      className: 'w-52',
      cell: (mail) => (
        <>
          <MailStatus mail={mail} />
          {mail.state === 'failed' && mayRetry(mail) ? (
            <span className="block">
              <RowAction about={mail.address} isBusy={mutation.isBusy} onClick={() => retry(mail)}>
                {t('mail.retry')}
              </RowAction>
            </span>
          ) : null}
        </>
      ),
    },
  ];
  return (
    <div className="flex flex-col gap-4">
      <Notice text={notice} onClose={setNotice} />
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
      <PagedTable
        list={list}
        none={t(isFiltered ? 'mail.none' : 'mail.noneYet')}
        label={t('frame.mail')}
        columns={columns}
        nameOf={({ kind }) => mailKindWords(kind)}
      />
    </div>
  );
}
