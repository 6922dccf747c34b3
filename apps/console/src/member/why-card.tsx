import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { Card } from '@gatehouse/ui/parts/card';
import { RowMark, type StatusTone } from '@gatehouse/ui/parts/icons';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { useQuery } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { roleWords } from '../session/me.js';
import { t } from '../words.js';
import { memberKey } from './member-page.js';

type Link = AdminOutputs['access']['explain']['data']['chain'][number];

/** The facts that guards look at when a member signs in, without those about the change log. */
const FACTS = {
  memberStatus: 'why.memberStatus',
  confirmation: 'why.confirmation',
  recovery: 'why.recovery',
  lock: 'why.lock',
  staff: 'why.staff',
  baseRole: 'why.baseRole',
} as const;

const TONES = {
  none: 'ok',
  passes: 'ok',
  allows: 'ok',
  denies: 'error',
} as const satisfies Readonly<Record<Link['effect'], StatusTone>>;

/** Why a member can sign in or not, as the service itself decides. */
export function WhyCard({ memberId }: { readonly memberId: number }): ReactElement {
  const answer = useQuery({
    queryKey: [...memberKey(memberId), 'why'],
    queryFn: async ({ signal }) => (await gatehouse.api.access.explain.query({ memberId }, { signal })).data,
  });
  return (
    <Card title={t('why.title')}>
      <QueryView answer={answer} isPart>
        {({ decision, chain }) => (
          <div className="flex flex-col gap-2 p-3">
            <p className="flex items-center gap-3 font-semibold">
              <RowMark tone={decision === 'allow' ? 'ok' : 'error'} />
              {t(decision === 'allow' ? 'why.allow' : 'why.deny')}
            </p>
            <ul className="flex flex-col gap-1">
              {chain.map((link) =>
                isShown(link.fact) ? (
                  <li key={link.fact} className="flex gap-3 wrap-anywhere">
                    <span className="pt-0.5">
                      <RowMark tone={TONES[link.effect]} />
                    </span>
                    <span>
                      {t(FACTS[link.fact])} <bdi className="text-quiet">{said(link)}</bdi>
                    </span>
                  </li>
                ) : null,
              )}
            </ul>
          </div>
        )}
      </QueryView>
    </Card>
  );
}

function isShown(fact: string): fact is keyof typeof FACTS {
  return Object.hasOwn(FACTS, fact);
}

/** Values that the service has a word for. */
const VALUES = {
  live: 'why.live',
  banned: 'why.banned',
  deleted: 'why.deleted',
  unapproved: 'why.unapproved',
  waiting: 'why.waiting',
  ticketMailed: 'why.ticketMailed',
  ticketUsed: 'why.ticketUsed',
  'until unlocked': 'why.untilUnlocked',
} as const;

function said({ fact, value }: Link): string {
  if (value === null) return t('why.no');
  if (typeof value === 'boolean') return t(value ? 'why.yes' : 'why.no');
  if (typeof value === 'number') return (fact === 'baseRole' && roleWords(value)) || String(value);
  if (hasWords(value)) return t(VALUES[value]);
  const [, until = ''] = /^until (\d{4}-.*Z)$/.exec(value) ?? [];
  return until === '' ? value : t('why.until', { time: shownTime(until) });
}

const hasWords = (value: string): value is keyof typeof VALUES => Object.hasOwn(VALUES, value);
