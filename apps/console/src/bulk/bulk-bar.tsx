import { Button } from '@gatehouse/ui/parts/button';
import { Link } from '@tanstack/react-router';
import { type ReactElement, type ReactNode, useState } from 'react';
import { t } from '../words.js';
import { BulkDialog } from './bulk-dialog.js';
import { type BulkAction, isOver, MOST_IN_RUN } from './bulk-run.js';
import { useRun } from './use-run.js';

const WORDS = {
  confirm: 'bulk.confirm',
  end: 'bulk.end',
  ban: 'bulk.ban',
  unban: 'bulk.unban',
} as const;

/** What can be done about those who are chosen; it stays in sight below the list. */
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
}): ReactElement {
  const { run } = useRun();
  const [asks, setAsks] = useState<BulkAction>();
  const isUnfinished = run !== undefined && !isOver(run);
  const isTooMany = chosen.size > MOST_IN_RUN;
  return (
    <section
      aria-label={t('bulk.bar')}
      className="bottom-0 z-1 flex flex-wrap items-center gap-3 border-s-6 border-t border-s-harbour border-t-line bg-well px-3 py-2 rows:sticky"
    >
      <p role="status" className="font-semibold">
        {chosen.size === 0 ? t('bulk.keys') : t('bulk.chosen', { count: chosen.size })}
      </p>
      {children}
      {isUnfinished ? (
        <p>
          {t('bulk.unfinished')}{' '}
          <Link to="/bulk" className="text-harbour underline underline-offset-3">
            {t('bulk.see')}
          </Link>
        </p>
      ) : null}
      {isTooMany ? <p>{t('bulk.tooMany', { count: MOST_IN_RUN })}</p> : null}
      {chosen.size === 0 || isTooMany || isUnfinished
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
      {chosen.size === 0 ? null : <Button onClick={onClear}>{t('bulk.clear')}</Button>}
      {asks === undefined ? null : (
        <BulkDialog action={asks} ids={[...chosen]} onClose={() => setAsks(undefined)} />
      )}
    </section>
  );
}
