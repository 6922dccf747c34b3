import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { type Bar, BarChart } from '@gatehouse/ui/chart/bar-chart';
import { Figure } from '@gatehouse/ui/chart/figure';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { StatusNote } from '@gatehouse/ui/parts/status-note';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { regionalLocale, shownDay, shownTime, showsUtc } from '@gatehouse/ui/screen/shown-time';
import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { SPANS, type Span } from '../address-filters.js';
import { gatehouse } from '../client.js';
import { ChoiceLink } from '../shell/action-links.js';
import { t } from '../words.js';

type Statistics = AdminOutputs['service']['statistics']['data'];

const DAY_MS = 86_400_000;

/** How often the figures are reloaded. */
const AGAIN_MS = 30_000;

/** The time zone in which days are cut: that of the shown times. */
const zone = (): string => (showsUtc() ? 'UTC' : Intl.DateTimeFormat().resolvedOptions().timeZone);

function useStatistics(days: Span) {
  return useQuery({
    queryKey: ['statistics', days, zone()],
    queryFn: ({ signal }) => ask(days, Date.now(), signal),
    refetchInterval: AGAIN_MS,
    placeholderData: keepPreviousData,
  });
}

/** The statistics of a number of days, ending with the day of an instant. */
async function ask(days: Span, lastMs: number, signal: AbortSignal): Promise<Statistics> {
  const from = new Date(lastMs - (days - 1) * DAY_MS).toISOString();
  const asked = { from, until: new Date(lastMs).toISOString(), zone: zone(), bucket: SPANS[days] };
  return (await gatehouse.api.service.statistics.query(asked, { signal })).data;
}

/** The service does not keep what happened two years ago. */
const LONGEST_COMPARED = 28;

/** The statistics of the same number of days before the shown ones; undefined until they are known, or if they are not kept. */
function useBefore(days: Span): Statistics | undefined {
  const before = useQuery({
    queryKey: ['statistics', days, zone(), 'before'],
    queryFn: ({ signal }) => ask(days, Date.now() - days * DAY_MS, signal),
    enabled: days <= LONGEST_COMPARED,
  });
  return before.data;
}

/** Work that waits longer than this is shown as late. */
const LATE_MS = 10 * 60_000;

/** Figures older than this say nothing about the present. */
const OLD_MS = 10 * 60_000;

/** By that time every node should know of an ended access. */
const SLOW_MS = 1_000;

/** The status of each part of the service. */
interface Health {
  readonly mails: StatusTone;
  readonly webhooks: StatusTone;
  readonly revocations: StatusTone;
  readonly counting: StatusTone;
}

function healthOf({ mails, webhooks, revocations, countedAt }: Statistics, nowMs: number): Health {
  const isSlow = revocations !== null && revocations.slowestMs > SLOW_MS;
  const isOld = countedAt === null || nowMs - Date.parse(countedAt) > OLD_MS;
  return {
    mails: toneOf(mails, nowMs),
    webhooks: webhooks === null ? 'ok' : toneOf(webhooks, nowMs),
    revocations: isSlow ? 'error' : 'ok',
    counting: isOld ? 'pending' : 'ok',
  };
}

function toneOf({ waiting, oldestAt }: Statistics['mails'], nowMs: number): StatusTone {
  const isLate = waiting > 0 && oldestAt !== null && nowMs - Date.parse(oldestAt) > LATE_MS;
  return isLate ? 'pending' : 'ok';
}

/** Whether the service works: the most serious problem. */
function serviceStatus(statistics: Statistics, nowMs: number) {
  const { mails, webhooks, revocations, countedAt } = statistics;
  const health = healthOf(statistics, nowMs);
  const as = (tone: StatusTone, title: string, lead: string) => ({ tone, title, lead });
  if (health.revocations === 'error' && revocations !== null)
    return as('error', t('overview.slow', { ms: revocations.slowestMs }), t('overview.slowLead'));
  if (health.webhooks === 'pending' && webhooks !== null)
    return as(
      'pending',
      t('overview.payments', { count: webhooks.waiting }),
      waitingSince(webhooks.oldestAt),
    );
  if (health.mails === 'pending')
    return as('pending', t('overview.mails', { count: mails.waiting }), waitingSince(mails.oldestAt));
  if (health.counting === 'pending')
    return countedAt === null
      ? as('pending', t('overview.never'), t('overview.neverLead'))
      : as('pending', t('overview.uncounted'), t('overview.counted', { time: shownTime(countedAt) }));
  return as('ok', t('overview.open'), t('overview.openLead', { zone: zone() }));
}

const waitingSince = (oldestAt: string | null): string =>
  oldestAt === null ? '' : t('overview.since', { time: shownTime(oldestAt) });

export const OverviewScreen = inLanguage(Overview);

const route = getRouteApi('/frame/');

const SPAN_WORDS = { 7: 'overview.week', 28: 'overview.month', 364: 'overview.year' } as const;

function Overview(): ReactElement {
  const { days = 28 } = route.useSearch();
  const answer = useStatistics(days);
  return (
    <QueryView answer={answer} title={t('frame.overview')}>
      {(statistics) => <Shown statistics={statistics} days={days} />}
    </QueryView>
  );
}

function Shown({ statistics, days }: { readonly statistics: Statistics; readonly days: Span }): ReactElement {
  const { title, tone, lead } = serviceStatus(statistics, Date.now());
  const { countedAt } = statistics;
  const before = useBefore(days);
  const text = countedAt === null ? lead : `${lead} ${t('overview.asOf', { time: shownTime(countedAt) })}`;
  return (
    <Screen title={t('frame.overview')} lead={tone === 'ok' ? `${title}. ${text}` : undefined}>
      {tone === 'ok' ? null : (
        <StatusNote tone={tone} title={title}>
          <p>{text}</p>
        </StatusNote>
      )}
      <nav aria-label={t('overview.span')} className="-mb-4 flex flex-wrap">
        {([7, 28, 364] as const).map((each) => (
          <ChoiceLink key={each} to="/" search={{ days: each }} isChosen={each === days}>
            {t(SPAN_WORDS[each])}
          </ChoiceLink>
        ))}
      </nav>
      <Figures statistics={statistics} before={before} days={days} />
      <SignIns statistics={statistics} before={before} days={days} />
      <SignUps statistics={statistics} before={before} days={days} />
    </Screen>
  );
}

function Figures({ statistics, before, days }: Charted & Compared): ReactElement {
  const { locked, mails, webhooks, revocations, activeMembers, signUps } = statistics;
  const health = healthOf(statistics, Date.now());
  const oldest = (at: string | null) =>
    at === null ? t('figure.nothingWaits') : t('figure.oldest', { time: shownTime(at) });
  return (
    <dl className="flex flex-wrap gap-px overflow-clip border-t-2 border-ink">
      <Figure name={t('figure.signUps')} tone="ok" value={shownNumber(signUps)}>
        {before === undefined ? t('figure.inSpan') : t('figure.before', { count: before.signUps, days })}
      </Figure>
      <Figure name={t('figure.active')} tone="ok" value={shownNumber(activeMembers)}>
        {t('figure.inSpan')}
      </Figure>
      <Figure name={t('figure.locked')} tone={locked > 0 ? 'pending' : 'ok'} value={shownNumber(locked)}>
        {t('figure.lockedNote')}
      </Figure>
      <Figure name={t('figure.mails')} tone={health.mails} value={shownNumber(mails.waiting)}>
        {oldest(mails.oldestAt)}
      </Figure>
      {webhooks === null ? null : (
        <Figure name={t('figure.webhooks')} tone={health.webhooks} value={shownNumber(webhooks.waiting)}>
          {oldest(webhooks.oldestAt)}
        </Figure>
      )}
      {revocations === null ? null : (
        <Figure
          name={t('figure.revocations')}
          tone={health.revocations}
          value={t('figure.ms', { ms: revocations.slowestMs })}
        >
          {t('figure.slowest', { count: revocations.nodes })}
        </Figure>
      )}
    </dl>
  );
}

interface Charted {
  readonly statistics: Statistics;
  readonly days: Span;
}

interface Compared {
  /** The value for the days before; undefined if unknown. */
  readonly before: Statistics | undefined;
}

function SignIns({ statistics: { logins, buckets }, before, days }: Charted & Compared): ReactElement {
  const summary = t('chart.signInsSummary', countOf(logins));
  return (
    <BarChart
      title={t('chart.signIns')}
      summary={
        before === undefined
          ? summary
          : `${summary} ${t('chart.signInsBefore', { ...countOf(before.logins), days })}`
      }
      over={t(days === 364 ? 'chart.weeks' : 'chart.days')}
      series={[
        { name: t('chart.ok'), tone: 'harbour' },
        { name: t('list.failed'), tone: 'lantern' },
        { name: t('figure.locked'), tone: 'brick' },
      ]}
      bars={buckets.map((bucket, index) => {
        const { ok, failed, locked } = bucket.logins;
        const past = before?.buckets[index]?.logins;
        return {
          ...barOf(bucket, days, [ok, failed, locked]),
          before: past === undefined ? undefined : countOf(past).all,
        };
      })}
      shownNumber={shownNumber}
      beforeName={t('chart.before', { days })}
    />
  );
}

function countOf({ ok, failed, locked }: Statistics['logins']) {
  return { all: ok + failed + locked, refused: failed + locked };
}

function SignUps({ statistics: { signUps, buckets }, before, days }: Charted & Compared): ReactElement {
  return (
    <BarChart
      title={t('figure.signUps')}
      summary={t('chart.signUpsSummary', { count: signUps })}
      over={t(days === 364 ? 'chart.weeks' : 'chart.days')}
      series={[{ name: t('figure.signUps'), tone: 'harbour' }]}
      bars={buckets.map((bucket, index) => ({
        ...barOf(bucket, days, [bucket.signUps]),
        before: before?.buckets[index]?.signUps,
      }))}
      shownNumber={shownNumber}
      beforeName={t('chart.before', { days })}
    />
  );
}

function barOf({ from }: Statistics['buckets'][number], days: Span, values: readonly number[]): Bar {
  const at = new Date(from);
  const options =
    days === 364 ? ({ month: 'short' } as const) : ({ day: 'numeric', month: 'short' } as const);
  return {
    label: new Intl.DateTimeFormat(regionalLocale(), { ...options, timeZone: zone() }).format(at),
    name: shownDay(from),
    values,
  };
}

const shownNumber = (value: number): string => new Intl.NumberFormat(regionalLocale()).format(value);
