import { Card } from '@gatehouse/ui/parts/card';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { Link } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { Fact, Facts } from '../shell/facts.js';
import { LINK } from '../shell/link-look.js';
import { t } from '../words.js';
import type { MemberPage } from './member-page.js';

/** Who a member is. */
export function FactsCard({
  page: { member, factors, pendingEmail, partner },
}: {
  readonly page: MemberPage;
}): ReactElement {
  return (
    <Card title={t('facts.title')}>
      <Facts>
        <Fact name={t('fact.email')}>
          {member.email === null ? t('fact.none') : <bdi>{shownAddress(member.email)}</bdi>}
          {member.email === null ? null : (
            <span className={`block ${member.emailVerified ? 'text-moss' : 'text-quiet'}`}>
              {t(member.emailVerified ? 'fact.confirmed' : 'fact.unconfirmed')}
            </span>
          )}
        </Fact>
        {pendingEmail === null ? null : (
          <Fact name={t('fact.pending')}>
            <bdi>{pendingEmail}</bdi>
          </Fact>
        )}
        <Fact name={t('fact.username')}>
          <bdi>{member.username}</bdi>
        </Fact>
        <Fact name={t('fact.role')}>
          <bdi>{member.role}</bdi>
        </Fact>
        <Fact name={t('fact.password')}>{t(factors.password ? 'fact.hasPassword' : 'fact.none')}</Fact>
        {partner === null ? null : (
          <Fact name={t('fact.partner')}>
            <bdi>{partner.name}</bdi>
          </Fact>
        )}
        <Fact name={t('fact.since')}>{shownDay(member.createdAt)}</Fact>
      </Facts>
    </Card>
  );
}

/** The accounts that a member belongs to, of those that the reader sees. */
export function AccountsCard({ page: { memberships } }: { readonly page: MemberPage }): ReactElement {
  return (
    <Card title={t('accounts.title')}>
      {memberships.length === 0 ? <p className="p-3 text-quiet">{t('accounts.none')}</p> : null}
      <ul className="divide-y divide-line">
        {memberships.map((place) => (
          <li
            key={place.accountId}
            className="flex flex-wrap items-baseline justify-between gap-x-3 p-3 wrap-anywhere"
          >
            <span>
              <Link
                to="/accounts/$accountId"
                params={{ accountId: String(place.accountId) }}
                className={LINK}
              >
                <bdi>{place.accountName}</bdi>
              </Link>{' '}
              <span className="font-mono text-quiet">#{place.accountId}</span>
              {place.accountState === 'closed' ? <span> {t('accounts.closed')}</span> : null}
              {place.active ? null : <span> {t('accounts.inactive')}</span>}
            </span>
            <bdi className="text-quiet">{place.role}</bdi>
          </li>
        ))}
      </ul>
    </Card>
  );
}
