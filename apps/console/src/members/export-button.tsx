import { csv } from '@gatehouse/ui/export/csv';
import { saveFile } from '@gatehouse/ui/export/save-file';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button } from '@gatehouse/ui/parts/button';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';
import { askedFor } from './asked-for.js';
import type { Filters } from './filters.js';
import { readMatching } from './read-matching.js';

/** So many rows leave in one file. */
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
      'fact.id',
      'fact.username',
      'edit.firstName',
      'edit.lastName',
      'fact.email',
      'fact.confirmed',
      'fact.role',
      'fact.since',
    ] as const;
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
    saveFile(`${t('members.title')}.csv`, csv([head.map((id) => t(id)), ...rows]), 'text/csv');
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
