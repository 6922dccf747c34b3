import type { AdminInputs, ListedMember } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { t as ofParts } from '@gatehouse/ui/messages/translate';
import { Button } from '@gatehouse/ui/parts/button';
import { type ReactElement, useState } from 'react';
import { learnNames, MAX_IN_RUN } from '../bulk/bulk-run.js';
import { gatehouse } from '../client.js';
import { roleOf } from '../session/me.js';
import { ExportCsv, readPages } from '../shell/export-csv.js';
import type { Filters } from '../shell/member-filters.js';
import { t } from '../words.js';
import { STATE_WORDS } from './state-words.js';

type AskedFor = Omit<NonNullable<AdminInputs['member']['search']>, 'limit' | 'cursor'>;

/** The search input that the filters of the list produce. */
export function askedFor({ q, state, role, sort }: Filters): AskedFor {
  return {
    ...(q === undefined ? {} : { search: q.trim().replace(/^#/, '') }),
    ...(state === undefined ? {} : { state }),
    ...(role === undefined ? {} : { roleType: role }),
    ...(sort === undefined ? {} : { sort }),
  };
}

/** Selects all matching members, up to the maximum of one run. They are read first, so that their names are known. */
export function ChooseAll({
  filters,
  onChosen,
}: {
  readonly filters: Filters;
  readonly onChosen: (chosen: ReadonlySet<number>) => void;
}): ReactElement {
  const mutation = useMutationState();
  const [told, setTold] = useState('');
  return (
    <>
      <Button
        isBusy={mutation.isBusy}
        onClick={() =>
          mutation.send(async (signal) => {
            const { rows: members, isCut } = await readPages(readBy(filters), MAX_IN_RUN, {
              signal,
              onRead: (count) => setTold(t('csv.read', { count })),
            });
            learnNames(members);
            onChosen(new Set(members.map(({ id }) => id)));
            setTold(isCut ? t('bulk.first', { count: members.length }) : '');
          })
        }
      >
        {t('bulk.all', { count: MAX_IN_RUN })}
      </Button>
      <p role="status" className="empty:hidden">
        {told}
      </p>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </>
  );
}

const readBy =
  (filters: Filters) => (page: { readonly limit: number; readonly cursor?: string }, signal: AbortSignal) =>
    gatehouse.api.member.search.query({ ...askedFor(filters), ...page }, { signal });

/** Saves the members that match as CSV. */
export function ExportButton({ filters }: { readonly filters: Filters }): ReactElement {
  return (
    <ExportCsv<ListedMember>
      list="member.search"
      filters={askedFor(filters)}
      file={t('frame.members')}
      read={readBy(filters)}
      head={[
        t('fact.id'),
        t('fact.username'),
        ofParts('ui.name.first'),
        ofParts('ui.name.last'),
        t('fact.email'),
        t('members.confirmed'),
        t('fact.role'),
        t('fact.since'),
        t('list.status'),
        t('members.account'),
        t('fact.twoStep'),
        t('members.lastLogin'),
      ]}
      row={(member) => [
        member.id,
        member.username,
        member.firstName,
        member.lastName,
        member.email ?? '',
        t(member.emailVerified ? 'why.yes' : 'why.no'),
        roleOf(member),
        member.createdAt,
        t(STATE_WORDS[member.status]),
        member.account?.name ?? '',
        t(member.secondFactor ? 'fact.on' : 'fact.off'),
        member.lastLoginAt ?? '',
      ]}
    />
  );
}
