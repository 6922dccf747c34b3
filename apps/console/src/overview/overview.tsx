import { type Bar, BarChart } from '@gatehouse/ui/chart/bar-chart';
import { Figure } from '@gatehouse/ui/chart/figure';
import { catalogue } from '@gatehouse/ui/messages/translate';
import { Asked } from '@gatehouse/ui/screen/asked';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { shownDay, shownTime } from '@gatehouse/ui/screen/shown-time';
import { getRouteApi } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { ChoiceLink } from '../shell/choice-link.js';
import { t } from '../words.js';
import { healthOf, serviceStatus } from './service-status.js';
import type { Span } from './span.js';
import { type Statistics, useStatistics } from './statistics.js';

export const OverviewScreen = inLanguage(Overview);

const route = getRouteApi('/frame/');
const SPAN_WORDS = { 7: 'overview.week', 28: 'overview.month', 364: 'overview.year' } as const;

function Overview(): ReactElement {
  const { days = 28 } = route.useSearch();
  const answer = useStatistics(days);
  return <Asked answer={answer}>{(statistics) => <Shown statistics={statistics} days={days} />}</Asked>;
}

function Shown({ statistics, days }: { readonly statistics: Statistics; readonly days: Span }): ReactElement {
  const { title, tone, lead } = serviceStatus(statistics, Date.now());
  return (
    <Screen title={title} tone={tone} lead={lead}>
      <Figures statistics={statistics} />
      <nav aria-label={t('overview.span')} className="-mb-4 flex flex-wrap">
        {([7, 28, 364] as const).map((each) => (
          <ChoiceLink key={each} to="/" search={{ days: each }} isChosen={each === days}>
            {t(SPAN_WORDS[each])}
          </ChoiceLink>
        ))}
      </nav>
      <SignIns statistics={statistics} days={days} />
      <SignUps statistics={statistics} days={days} />
    </Screen>
  );
}

function Figures({ statistics }: { readonly statistics: Statistics }): ReactElement {
  const { locked, mails, webhooks, revocations, activeMembers, signUps } = statistics;
  const health = healthOf(statistics, Date.now());
  const oldest = (at: string | null) =>
    at === null ? t('figure.nothingWaits') : t('figure.oldest', { time: shownTime(at) });
  return (
    <dl className="grid grid-cols-2 gap-px overflow-clip border-t-2 border-ink rows:grid-cols-3">
      <Figure name={t('figure.signUps')} tone="ok" value={shownNumber(signUps)}>
        {t('figure.inSpan')}
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

function SignIns({ statistics: { logins, buckets }, days }: Charted): ReactElement {
  const all = logins.ok + logins.failed + logins.locked;
  const refused = logins.failed + logins.locked;
  return (
    <BarChart
      title={t('chart.signIns')}
      summary={t('chart.signInsSummary', { all, refused })}
      over={t(days === 364 ? 'chart.weeks' : 'chart.days')}
      series={[
        { name: t('chart.ok'), tone: 'harbour' },
        { name: t('chart.refused'), tone: 'lantern' },
        { name: t('chart.locked'), tone: 'brick' },
      ]}
      bars={buckets.map((bucket) =>
        barOf(bucket, days, [bucket.logins.ok, bucket.logins.failed, bucket.logins.locked]),
      )}
      shownNumber={shownNumber}
    />
  );
}

function SignUps({ statistics: { signUps, buckets }, days }: Charted): ReactElement {
  return (
    <BarChart
      title={t('chart.signUps')}
      summary={t('chart.signUpsSummary', { count: signUps })}
      over={t(days === 364 ? 'chart.weeks' : 'chart.days')}
      series={[{ name: t('chart.signUps'), tone: 'harbour' }]}
      bars={buckets.map((bucket) => barOf(bucket, days, [bucket.signUps]))}
      shownNumber={shownNumber}
    />
  );
}

function barOf({ from }: Statistics['buckets'][number], days: Span, values: readonly number[]): Bar {
  const at = new Date(from);
  const options =
    days === 364 ? ({ month: 'short' } as const) : ({ day: 'numeric', month: 'numeric' } as const);
  return {
    label: new Intl.DateTimeFormat(catalogue.locale, options).format(at),
    name: shownDay(from),
    values,
  };
}

const shownNumber = (value: number): string => new Intl.NumberFormat(catalogue.locale).format(value);
