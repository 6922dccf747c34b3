import { csv, saveFile } from '@gatehouse/ui/export/export-file';
import { FailureNote } from '@gatehouse/ui/form/form';
import { Banner } from '@gatehouse/ui/parts/banner';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { mayAnywhere, useMe } from '../session/me.js';
import { t } from '../words.js';
import { type BulkRun, isOver, itemsIn, nameOf, type RunItem, refusals } from './bulk-run.js';
import { goOn, pauseRun, putRunAway, type RunView, stopRun, tryAgain, useRun } from './run-driver.js';

/** The result of each: done, refused and why, not tried, or unknown. */
function Report({ run }: { readonly run: BulkRun }): ReactElement {
  return (
    <>
      <Part title="bulk.partUnknown" items={itemsIn(run, 'sent')} />
      <Part title="bulk.partLost" items={itemsIn(run, 'lost')} />
      {[...refusals(run)].map(([why, items]) => (
        <Part key={why} title="bulk.partRefused" items={items} why={why} />
      ))}
      <Part title="bulk.partWaiting" items={itemsIn(run, 'waiting', 'again')} />
      <Part title="bulk.partDone" items={itemsIn(run, 'done')} />
    </>
  );
}

function Part({
  title,
  items,
  why,
}: {
  readonly title:
    | 'bulk.partUnknown'
    | 'bulk.partLost'
    | 'bulk.partRefused'
    | 'bulk.partWaiting'
    | 'bulk.partDone';
  readonly items: readonly RunItem[];
  readonly why?: string;
}): ReactElement | null {
  if (items.length === 0) return null;
  return (
    <Card title={t(title, { count: items.length })}>
      {why === undefined ? null : <p className="px-3 pt-3 wrap-anywhere">{why}</p>}
      <ul className="flex max-h-60 flex-wrap gap-x-3 overflow-y-auto p-3">
        {items.map(({ memberId }) => (
          <li key={memberId}>
            <Link
              to="/members/$memberId"
              params={{ memberId: String(memberId) }}
              preload={false}
              className="inline-flex min-h-6 items-center gap-1 text-harbour underline decoration-line underline-offset-3 hover:decoration-current"
            >
              <bdi>{nameOf(memberId)}</bdi>
              <span className="font-mono">#{memberId}</span>
            </Link>
          </li>
        ))}
      </ul>
    </Card>
  );
}

const WORDS = {
  done: 'bulk.stateDone',
  refused: 'bulk.stateRefused',
  lost: 'bulk.stateLost',
  sent: 'bulk.stateUnknown',
  waiting: 'bulk.stateWaiting',
  again: 'bulk.stateWaiting',
} as const satisfies Readonly<Record<RunItem['state'], string>>;

/** Saves what became of each as CSV. */
function saveReport(run: BulkRun): void {
  const head = [t('fact.id'), t('fact.name'), t('bulk.result'), t('list.reason')];
  const rows = run.items.map(({ memberId, state, why = '' }) => [
    memberId,
    nameOf(memberId) ?? '',
    t(WORDS[state]),
    why,
  ]);
  saveFile(`${run.action}.csv`, csv([head, ...rows]), 'text/csv');
}

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
      <Button onClick={() => saveReport(run)}>{t('csv.open')}</Button>
      <Button onClick={putRunAway}>{t('bulk.putAway')}</Button>
    </>
  );
}
