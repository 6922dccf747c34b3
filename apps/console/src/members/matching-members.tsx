import type { Member } from '@gatehouse/client-sdk/admin';
import { csv, saveFile } from '@gatehouse/ui/export/export-file';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/form';
import { t as ofParts } from '@gatehouse/ui/messages/translate';
import { Button } from '@gatehouse/ui/parts/button';
import { type ReactElement, useState } from 'react';
import { learnNames, MAX_IN_RUN } from '../bulk/bulk-run.js';
import { gatehouse } from '../client.js';
import { t } from '../words.js';
import type { Filters, State } from './filters.js';

interface AskedFor {
  readonly search?: string;
  readonly state?: State;
  readonly roleType?: number;
}

/** The input that the filters of the list make. */
export function askedFor({ q, state, role }: Filters): AskedFor {
  return {
    ...(q === undefined ? {} : { search: q.trim().replace(/^#/, '') }),
    ...(state === undefined ? {} : { state }),
    ...(role === undefined ? {} : { roleType: role }),
  };
}

/** The most that a page of a list has. */
const PAGE = 200;

/**
 * Reads all that match, page by page.
 * @param most so many are read
 * @param onRead how many there are so far
 * @returns `isCut` where there are more than that
 */
async function readMatching(
  filters: Filters,
  most: number,
  { signal, onRead }: { readonly signal: AbortSignal; readonly onRead: (count: number) => void },
): Promise<{ readonly members: readonly Member[]; readonly isCut: boolean }> {
  const members: Member[] = [];
  let cursor: string | null = null;
  do {
    const limit = Math.min(PAGE, most - members.length);
    const asked = { ...askedFor(filters), limit, ...(cursor === null ? {} : { cursor }) };
    const { data, page } = await gatehouse.api.member.search.query(asked, { signal });
    members.push(...data);
    onRead(members.length);
    cursor = page.nextCursor;
  } while (cursor !== null && members.length < most);
  return { members, isCut: cursor !== null };
}

/** Chooses all that match, as far as one run goes. They are read first, so that it is known who they are. */
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
            const { members, isCut } = await readMatching(filters, MAX_IN_RUN, {
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

/** The maximum number of rows in one file. */
const MOST = 10_000;

/** Takes the members that match as CSV. The audit log has it before the first of them is read. */
export function ExportButton({ filters }: { readonly filters: Filters }): ReactElement {
  const mutation = useMutationState();
  const [told, setTold] = useState('');

  async function take(signal: AbortSignal): Promise<void> {
    await gatehouse.api.export.begin.mutate(
      { list: 'member.search', filters: { ...askedFor(filters) } },
      { signal },
    );
    const { members, isCut } = await readMatching(filters, MOST, {
      signal,
      onRead: (count) => setTold(t('csv.read', { count })),
    });
    const head = [
      t('fact.id'),
      t('fact.username'),
      ofParts('ui.name.first'),
      ofParts('ui.name.last'),
      t('fact.email'),
      t('fact.confirmed'),
      t('fact.role'),
      t('fact.since'),
    ];
    const rows = members.map((member) => [
      member.id,
      member.username,
      member.firstName,
      member.lastName,
      member.email ?? '',
      t(member.emailVerified ? 'why.yes' : 'why.no'),
      member.role,
      member.createdAt,
    ]);
    saveFile(`${t('members.title')}.csv`, csv([head, ...rows]), 'text/csv');
    setTold(t(isCut ? 'csv.cut' : 'csv.done', { count: members.length }));
  }

  return (
    <>
      <Button
        isBusy={mutation.isBusy}
        onClick={() => {
          setTold('');
          mutation.send(take);
        }}
      >
        {t('csv.open')}
      </Button>
      {mutation.isBusy ? <Button onClick={mutation.cancel}>{t('csv.cancel')}</Button> : null}
      <p role="status" className="self-center text-quiet empty:hidden">
        {mutation.failure === undefined ? told : ''}
      </p>
      {mutation.failure === undefined ? null : (
        <div className="w-full">
          <FailureNote failure={mutation.failure} />
        </div>
      )}
    </>
  );
}
