import { Card } from '@gatehouse/ui/parts/card';
import { CopyButton } from '@gatehouse/ui/parts/copy-button';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { ConnectedAppsCard } from '../account/connected-apps-card.js';
import { mayAnywhere, roleOf, roleWords, useMe } from '../session/me.js';
import { LINK } from '../shell/action-links.js';
import { Fact, Facts } from '../shell/facts.js';
import { MemberSsoCard } from '../single-sign-on/member-sso-card.js';
import { t } from '../words.js';
import { LoginsCard, MailsCard, SessionsCard } from './evidence.js';
import { Actions } from './member-actions.js';
import { type MemberPage, MemberView, statusOf, useMemberId } from './member-page.js';
import { WhyCard } from './why-card.js';

/** Who a member is. */
function FactsCard({
  page: { member, factors, foreignIds, pendingEmail, partner },
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
              {t(member.emailVerified ? 'fact.confirmed' : 'fact.unconfirmed')}{' '}
              <CopyButton isInText text={member.email} label={t('fact.copyEmail')} />
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
          <bdi>{roleOf(member)}</bdi>
        </Fact>
        <Fact name={t('fact.password')}>{t(factors.password ? 'fact.hasPassword' : 'fact.none')}</Fact>
        <Fact name={t('fact.twoStep')}>
          <TwoStep factors={factors} />
        </Fact>
        {partner === null ? null : (
          <Fact name={t('fact.partner')}>
            <bdi>{partner.name}</bdi>
          </Fact>
        )}
        {foreignIds.length === 0 ? null : (
          <Fact name={t('fact.foreignIds')}>
            <ul>
              {foreignIds.map(({ source, id }) => (
                <li key={`${source} ${id}`}>
                  <bdi>{source}</bdi> <bdi className="font-mono text-quiet">{id}</bdi>
                </li>
              ))}
            </ul>
          </Fact>
        )}
        <Fact name={t('fact.since')}>{shownDay(member.createdAt)}</Fact>
      </Facts>
    </Card>
  );
}

/** Whether a sign-in takes a second step, and the member's second factors. */
function TwoStep({ factors }: Pick<MemberPage, 'factors'>): ReactElement {
  const { secondFactor, email, totpAddedAt, passkeys, backupCodesLeft } = factors;
  const ways = [
    ...(passkeys > 0 ? [t('fact.passkeys', { count: passkeys })] : []),
    ...(totpAddedAt === null ? [] : [t('fact.app', { day: shownDay(totpAddedAt) })]),
    ...(secondFactor && email ? [t('fact.mailedCode')] : []),
    ...(passkeys > 0 || totpAddedAt !== null ? [t('fact.backupCodes', { count: backupCodesLeft })] : []),
  ];
  return (
    <>
      {t(secondFactor ? 'fact.on' : 'fact.off')}
      {ways.length === 0 ? null : (
        <ul className="text-quiet">
          {ways.map((way) => (
            <li key={way}>{way}</li>
          ))}
        </ul>
      )}
    </>
  );
}

/** The accounts that a member belongs to, of those that the reader sees. */
function AccountsCard({ page: { memberships } }: { readonly page: MemberPage }): ReactElement {
  return (
    <Card title={t('frame.accounts')}>
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
            <bdi className="text-quiet">
              {place.customRoleId === null ? roleWords(place.roleType) || place.role : place.role}
            </bdi>
          </li>
        ))}
      </ul>
    </Card>
  );
}

export const MemberScreen = inLanguage(Member);

function Member(): ReactElement {
  const memberId = useMemberId();
  return mayAnywhere(useMe(), 'member.list') ? <Shown key={memberId} memberId={memberId} /> : <Denied />;
}

function Shown({ memberId }: { readonly memberId: number }): ReactElement {
  return <MemberView memberId={memberId}>{(data) => <Page page={data} />}</MemberView>;
}

function Page({ page }: { readonly page: MemberPage }): ReactElement {
  const [notice, setNotice] = useState<string>();
  const { title, tone, lead } = statusOf(page);
  return (
    <Screen title={title} tone={tone} lead={lead} actions={<Actions page={page} onNotice={setNotice} />}>
      <Notice text={notice} onClose={setNotice} />
      <div className="grid items-start gap-6 wide:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <div className="flex min-w-0 flex-col gap-6">
          <LoginsCard page={page} />
          {page.actions.includes('seeSessions') ? <SessionsCard page={page} /> : null}
          <MailsCard page={page} />
          <ConnectedAppsCard
            of={{ memberId: page.member.id }}
            whereOf={({ inAccountId }) => (
              <bdi>{page.memberships.find(({ accountId }) => accountId === inAccountId)?.accountName}</bdi>
            )}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-6">
          <FactsCard page={page} />
          <AccountsCard page={page} />
          <MemberSsoCard memberId={page.member.id} />
          <WhyCard memberId={page.member.id} places={page.memberships} />
        </div>
      </div>
    </Screen>
  );
}
