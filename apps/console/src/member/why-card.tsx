import type { AdminOutputs } from '@gatehouse/client-sdk/admin';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon, type StatusTone } from '@gatehouse/ui/parts/icons';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownTime } from '@gatehouse/ui/screen/shown-time';
import { useQuery } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { roleWords } from '../session/me.js';
import { t } from '../words.js';
import { memberKey } from './member-page.js';

type Link = AdminOutputs['access']['explain']['data']['chain'][number];

/** The facts that guards look at, without those about the change log. */
const FACTS = {
  memberStatus: 'why.memberStatus',
  confirmation: 'why.confirmation',
  recovery: 'why.recovery',
  lock: 'why.lock',
  singleSignOn: 'why.singleSignOn',
  accountState: 'why.accountState',
  staff: 'why.staff',
  baseRole: 'why.baseRole',
  membership: 'why.membership',
  grant: 'why.grant',
  requiredLevel: 'why.requiredLevel',
  level: 'why.level',
} as const;

/** Why a member does not reach an account, in a sentence. */
const REASONS = {
  sso_required: 'why.reasonSso',
  enrolment_required: 'why.reasonEnrolment',
  verification_required: 'why.reasonVerification',
  account_forbidden: 'why.reasonForbidden',
} as const;

/** Everybody in an account may do this. */
const LEAST = 'account.read' as const;

const TONES = {
  none: 'ok',
  passes: 'ok',
  allows: 'ok',
  denies: 'error',
} as const satisfies Readonly<Record<Link['effect'], StatusTone>>;

/** Why a member can sign in or not, or reach one of their accounts, as the service itself decides. */
export function WhyCard({
  memberId,
  places,
}: {
  readonly memberId: number;
  readonly places: readonly { readonly accountId: number; readonly accountName: string }[];
}): ReactElement {
  const [accountId, setAccountId] = useState<number>();
  const answer = useQuery({
    queryKey: [...memberKey(memberId), 'why', accountId],
    queryFn: async ({ signal }) => {
      const asked = accountId === undefined ? {} : { accountId, permission: LEAST };
      return (await gatehouse.api.access.explain.query({ memberId, ...asked }, { signal })).data;
    },
  });
  const [yes, no] =
    accountId === undefined
      ? (['why.allow', 'why.deny'] as const)
      : (['why.mayReach', 'why.mayNotReach'] as const);
  return (
    <Card title={t('why.title')}>
      {places.length === 0 ? null : (
        <div className="px-3 pt-3">
          <SelectField
            name="where"
            label={t('why.where')}
            value={accountId === undefined ? '' : String(accountId)}
            choices={[
              { value: '', label: t('why.signIn') },
              ...places.map((place) => ({
                value: String(place.accountId),
                label: t('why.inAccount', { account: place.accountName }),
              })),
            ]}
            onChange={(next) => setAccountId(next === '' ? undefined : Number(next))}
          />
        </div>
      )}
      <QueryView answer={answer} isPart>
        {({ decision, reason, chain }) => (
          <div className="flex flex-col gap-2 p-3">
            <p className="flex items-center gap-3 font-semibold">
              <StatusIcon tone={decision === 'allow' ? 'ok' : 'error'} />
              {t(decision === 'allow' ? yes : no)}
            </p>
            {reason !== null && isExplained(reason) ? <p>{t(REASONS[reason])}</p> : null}
            <ul className="flex flex-col gap-1">
              {chain.map((link) =>
                isShown(link.fact) ? (
                  <li key={link.fact} className="flex gap-3 wrap-anywhere">
                    <span className="pt-0.5">
                      <StatusIcon tone={TONES[link.effect]} />
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

const isExplained = (reason: string): reason is keyof typeof REASONS => Object.hasOwn(REASONS, reason);

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
  required: 'why.required',
  exempt: 'why.exempt',
  closed: 'accounts.closed',
  unknown: 'why.unknown',
} as const;

function said({ fact, value, effect }: Link): string {
  if (value === null) return t('why.no');
  if (typeof value === 'boolean') return t(value ? 'why.yes' : 'why.no');
  if (fact === 'singleSignOn' && effect === 'denies') return t('why.ssoRequired');
  if (typeof value === 'number') return (isRole(fact) && roleWords(value)) || String(value);
  if (hasWords(value)) return t(VALUES[value]);
  const [, until = ''] = /^until (\d{4}-.*Z)$/.exec(value) ?? [];
  return until === '' ? value : t('why.until', { time: shownTime(until) });
}

const isRole = (fact: string) => fact === 'baseRole' || fact === 'membership';

const hasWords = (value: string): value is keyof typeof VALUES => Object.hasOwn(VALUES, value);
