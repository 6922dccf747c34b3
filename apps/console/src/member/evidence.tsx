import { deviceName } from '@gatehouse/ui/list/device-name';
import { Badge } from '@gatehouse/ui/parts/badge';
import { Card } from '@gatehouse/ui/parts/card';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { At } from '@gatehouse/ui/screen/ago';
import { t as ofEvents } from '@gatehouse/ui/security/words';
import { Link } from '@tanstack/react-router';
import type { ReactElement, ReactNode } from 'react';
import { MailRow } from '../mail/mail-row.js';
import { LINK } from '../shell/action-links.js';
import { t } from '../words.js';
import type { MemberPage } from './member-page.js';

/** How many of each the page of a member shows; the rest are on their own screen. */
const FEW = 5;

const OUTCOMES = {
  ok: ['ok', 'login.ok'],
  failed: ['error', 'login.failed'],
  locked: ['error', 'login.locked'],
} as const satisfies Readonly<Record<string, readonly [StatusTone, string]>>;

/** The newest sign-ins, with those that were refused. */
export function LoginsCard({ page: { member, logins } }: { readonly page: MemberPage }): ReactElement {
  return (
    <Card
      title={t('logins.title')}
      aside={
        <All to="/members/$memberId/trail" memberId={member.id}>
          {t('logins.all')}
        </All>
      }
    >
      {logins.length === 0 ? <Nothing>{t('logins.none')}</Nothing> : null}
      <ul className="divide-y divide-line">
        {logins.slice(0, FEW).map(({ id, at, outcome, address, device, times }) => {
          const [state, words] = OUTCOMES[outcome];
          return (
            <li key={id} className="p-3 wrap-anywhere">
              <p>
                {state === 'ok' ? (
                  <span className="font-semibold">{t(words)}</span>
                ) : (
                  <Badge tone={state}>{t(words)}</Badge>
                )}{' '}
                {times > 1 ? <span>{ofEvents('events.times', { count: times })}</span> : null}
              </p>
              <p className="text-quiet">
                <At at={at} />, {deviceName(device)}
                {address === null ? null : (
                  <>
                    , <bdi className="font-mono">{address}</bdi>
                  </>
                )}
              </p>
            </li>
          );
        })}
      </ul>
    </Card>
  );
}

/** Where a member is signed in. */
export function SessionsCard({
  page: { member, sessions, counts },
}: {
  readonly page: MemberPage;
}): ReactElement {
  return (
    <Card
      title={t('sessions.open', { count: counts.sessions })}
      aside={
        <All to="/members/$memberId/sessions" memberId={member.id}>
          {t('sessions.all')}
        </All>
      }
    >
      {sessions.length === 0 ? <Nothing>{t('sessions.none')}</Nothing> : null}
      <ul className="divide-y divide-line">
        {sessions.slice(0, FEW).map(({ id, device, address, lastSeenAt }) => (
          <li key={id} className="p-3 wrap-anywhere">
            <p className="font-semibold">{deviceName(device)}</p>
            <p className="text-quiet">
              <bdi className="font-mono">{address}</bdi>,{' '}
              <At at={lastSeenAt} say={(time) => t('sessions.seen', { time })} />
            </p>
          </li>
        ))}
      </ul>
    </Card>
  );
}

/** The newest mails to a member, and whether they were sent. */
export function MailsCard({ page: { member, mails } }: { readonly page: MemberPage }): ReactElement {
  return (
    <Card
      title={t('frame.mail')}
      aside={
        <All to="/members/$memberId/mail" memberId={member.id}>
          {t('mail.all')}
        </All>
      }
    >
      {mails.length === 0 ? <Nothing>{t('mail.noneYet')}</Nothing> : null}
      <ul className="divide-y divide-line">
        {mails.slice(0, FEW).map((mail) => (
          <MailRow key={mail.id} mail={mail} />
        ))}
      </ul>
    </Card>
  );
}

function Nothing({ children }: { readonly children: ReactNode }): ReactElement {
  return <p className="p-3 text-quiet">{children}</p>;
}

function All({
  to,
  memberId,
  children,
}: {
  readonly to: '/members/$memberId/sessions' | '/members/$memberId/mail' | '/members/$memberId/trail';
  readonly memberId: number;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <Link to={to} params={{ memberId: String(memberId) }} className={LINK}>
      {children}
    </Link>
  );
}
