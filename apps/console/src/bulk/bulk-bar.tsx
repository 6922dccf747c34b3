import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Link, useNavigate } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useState } from 'react';
import { t } from '../words.js';
import { type BulkAction, isOver, MAX_IN_RUN } from './bulk-run.js';
import { startRun, useRun } from './run-driver.js';

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

/** Names the bulk action that is about to begin, and begins it. */
function BulkDialog({
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
          label={t('list.reason')}
          hint={t('ban.reasonHint')}
          autoComplete="off"
          maxLength={500}
          required
        />
      ) : null}
    </Confirm>
  );
}

const WORDS = {
  confirm: 'confirmation.open',
  end: 'end.open',
  ban: 'ban.open',
  unban: 'bulk.unban',
} as const;

/** The actions on the selected members, always visible below the list once one is selected. */
export function BulkBar({
  chosen,
  actions,
  onClear,
  children,
}: {
  readonly chosen: ReadonlySet<number>;
  readonly actions: readonly BulkAction[];
  readonly onClear: () => void;
  /** How to choose more. */
  readonly children?: ReactNode;
}): ReactElement | null {
  const { run } = useRun();
  const [asks, setAsks] = useState<BulkAction>();
  const isUnfinished = run !== undefined && !isOver(run);
  const isTooMany = chosen.size > MAX_IN_RUN;
  // It covers the last rows.
  if (chosen.size === 0 && !isUnfinished && asks === undefined) return null;
  return (
    <section
      aria-label={t('bulk.bar')}
      className="bottom-0 z-1 flex flex-wrap items-center gap-3 border-s-6 border-t border-s-harbour border-t-line bg-well px-3 py-2 rows:sticky"
    >
      {isUnfinished ? (
        <p>
          {t('bulk.unfinished')}{' '}
          <Link to="/bulk" className="text-harbour underline underline-offset-3">
            {t('bulk.see')}
          </Link>
        </p>
      ) : null}
      {chosen.size === 0 ? null : (
        <>
          <p role="status" className="font-semibold">
            {t('bulk.chosen', { count: chosen.size })}
          </p>
          {children}
          {isTooMany ? <p>{t('bulk.tooMany', { count: MAX_IN_RUN })}</p> : null}
          {isTooMany || isUnfinished
            ? null
            : actions.map((action) => (
                <Button
                  key={action}
                  kind={action === 'ban' || action === 'end' ? 'grave' : 'plain'}
                  onClick={() => setAsks(action)}
                >
                  {t(WORDS[action])}
                </Button>
              ))}
          <Button
            onClick={() => {
              onClear();
              // The bar goes, and the focus would go with it to the top of the document.
              document.getElementById('main')?.focus({ preventScroll: true });
            }}
          >
            {t('bulk.clear')}
          </Button>
          <p className="text-note text-quiet pointer-coarse:hidden">{t('bulk.keys')}</p>
        </>
      )}
      {asks === undefined ? null : (
        <BulkDialog action={asks} ids={[...chosen]} onClose={() => setAsks(undefined)} />
      )}
    </section>
  );
}
