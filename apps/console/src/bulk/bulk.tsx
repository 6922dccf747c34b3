import { FailureNote } from '@gatehouse/ui/form/failure-note';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Denied } from '@gatehouse/ui/screen/denied';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { mayAnywhere, useMe } from '../session/me.js';
import { t } from '../words.js';
import { type BulkRun, isOver, itemsIn } from './bulk-run.js';
import { Report } from './report.js';
import { goOn, pauseRun, putRunAway, type RunView, stopRun, tryAgain } from './run-driver.js';
import { saveReport } from './save-report.js';
import { useRun } from './use-run.js';

export const BulkScreen = inLanguage(Bulk);

const TITLES = {
  confirm: 'bulk.confirmRun',
  end: 'bulk.endRun',
  ban: 'bulk.banRun',
  unban: 'bulk.unbanRun',
} as const;

function Bulk(): ReactElement {
  const isAllowed = mayAnywhere(useMe(), 'member.manage');
  const { run, ...view } = useRun();
  if (!isAllowed) return <Denied />;
  if (run !== undefined) return <Run run={run} view={view} />;
  return (
    <Screen title={t('bulk.none')} lead={t('bulk.noneLead')}>
      <p>
        <Link to="/members" className="text-harbour underline underline-offset-3">
          {t('bulk.toMembers')}
        </Link>
      </p>
    </Screen>
  );
}

function Run({
  run,
  view: { isRunning, isHalting, failure, isElsewhere },
}: {
  readonly run: BulkRun;
  readonly view: Omit<RunView, 'run'>;
}): ReactElement {
  const total = run.items.length;
  const done = itemsIn(run, 'done').length;
  const unknown = itemsIn(run, 'sent').length;
  const isEnded = !isRunning && isOver(run);
  const tone = isEnded && done === total ? 'ok' : 'pending';
  const lead = isRunning
    ? t(isHalting ? 'bulk.halting' : 'bulk.running')
    : isEnded
      ? t(done === total ? 'bulk.allDone' : 'bulk.over')
      : t(unknown > 0 ? 'bulk.unknown' : 'bulk.paused', { count: unknown });
  return (
    <Screen
      title={t(TITLES[run.action], { total, done })}
      tone={tone}
      lead={lead}
      actions={<Actions run={run} isRunning={isRunning} isHalting={isHalting} isEnded={isEnded} />}
    >
      {isEnded ? null : (
        <progress
          max={total}
          value={total - itemsIn(run, 'waiting', 'again', 'sent').length}
          aria-label={t('bulk.progress')}
          className="h-2 w-full appearance-none bg-line [&::-moz-progress-bar]:bg-harbour [&::-webkit-progress-bar]:bg-line [&::-webkit-progress-value]:bg-harbour"
        />
      )}
      {failure === undefined ? null : <FailureNote failure={failure} />}
      {isElsewhere ? <Banner tone="pending">{t('bulk.elsewhere')}</Banner> : null}
      {isRunning ? null : <Report run={run} />}
    </Screen>
  );
}

function Actions({
  run,
  isRunning,
  isHalting,
  isEnded,
}: {
  readonly run: BulkRun;
  readonly isRunning: boolean;
  readonly isHalting: boolean;
  readonly isEnded: boolean;
}): ReactElement {
  if (isRunning) {
    return (
      <>
        <Button isBusy={isHalting} onClick={pauseRun}>
          {t('bulk.pause')}
        </Button>
        <Button isBusy={isHalting} onClick={stopRun}>
          {t('bulk.stop')}
        </Button>
      </>
    );
  }
  if (!isEnded) {
    return (
      <>
        <Button kind="primary" onClick={goOn}>
          {t('bulk.goOn')}
        </Button>
        {run.isStopped ? null : <Button onClick={stopRun}>{t('bulk.stop')}</Button>}
      </>
    );
  }
  return (
    <>
      {itemsIn(run, 'refused', 'lost', 'again', 'waiting').length === 0 ? null : (
        <Button onClick={tryAgain}>{t('bulk.tryAgain')}</Button>
      )}
      <Button onClick={() => saveReport(run)}>{t('bulk.save')}</Button>
      <Button onClick={putRunAway}>{t('bulk.putAway')}</Button>
    </>
  );
}
