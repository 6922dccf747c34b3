import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { TextField } from '@gatehouse/ui/form/text-field';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { t } from '../words.js';
import type { BulkAction } from './bulk-run.js';
import { startRun } from './run-driver.js';

const TITLES = {
  confirm: 'bulk.confirmTitle',
  end: 'bulk.endTitle',
  ban: 'bulk.banTitle',
  unban: 'bulk.unbanTitle',
} as const;

const EFFECTS = {
  confirm: 'bulk.confirmEffect',
  end: 'bulk.endEffect',
  ban: 'bulk.banEffect',
  unban: 'bulk.unbanEffect',
} as const;

/** Names what is about to be done to many, and begins it. */
export function BulkDialog({
  action,
  ids,
  onClose,
}: {
  readonly action: BulkAction;
  readonly ids: readonly number[];
  readonly onClose: () => void;
}): ReactElement {
  const mutation = useMutationState('reason');
  const navigate = useNavigate();
  const count = ids.length;
  return (
    <Confirm
      title={t(TITLES[action], { count })}
      effect={t(EFFECTS[action], { count })}
      action={t('bulk.begin')}
      isGrave={action === 'ban' || action === 'end'}
      mutation={mutation}
      onConfirm={async ({ reason = '' }) => {
        await startRun(action, reason.trim(), ids);
        await navigate({ to: '/bulk' });
      }}
      onClose={onClose}
    >
      {action === 'ban' ? (
        <TextField
          name="reason"
          label={t('ban.reason')}
          hint={t('ban.reasonHint')}
          autoComplete="off"
          maxLength={500}
          required
        />
      ) : null}
    </Confirm>
  );
}
