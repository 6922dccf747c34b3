import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { SESSIONS_KEY } from './own-session.js';
import { t } from './words.js';

/** Ends every session but this one. */
export function EndOthersDialog({
  count,
  onNotice,
  onClose,
}: {
  /** How many there are; undefined where more are listed than were read. */
  readonly count: number | undefined;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('others.title')}
      effect={count === undefined ? t('others.effectMany') : t('others.effect', { count })}
      action={t('others.submit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await gatehouse.api.session.endMany.mutate({ others: true }, { signal });
        await queries.invalidateQueries({ queryKey: SESSIONS_KEY });
        onNotice(t('others.done'));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
