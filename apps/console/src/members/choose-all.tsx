import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Button } from '@gatehouse/ui/parts/button';
import { type ReactElement, useState } from 'react';
import { MOST_IN_RUN } from '../bulk/bulk-run.js';
import { learnNames } from '../bulk/names.js';
import { t } from '../words.js';
import type { Filters } from './filters.js';
import { readMatching } from './read-matching.js';

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
            const { members, isCut } = await readMatching(filters, MOST_IN_RUN, {
              signal,
              onRead: (count) => setTold(t('csv.read', { count })),
            });
            learnNames(members);
            onChosen(new Set(members.map(({ id }) => id)));
            setTold(isCut ? t('bulk.first', { count: members.length }) : '');
          })
        }
      >
        {t('bulk.all', { count: MOST_IN_RUN })}
      </Button>
      <p role="status" className="empty:hidden">
        {told}
      </p>
      {mutation.failure === undefined ? null : <FailureNote failure={mutation.failure} />}
    </>
  );
}
