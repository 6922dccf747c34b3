import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon, type StatusTone } from '@gatehouse/ui/parts/icons';
import { Initials } from '@gatehouse/ui/parts/initials';
import { Menu } from '@gatehouse/ui/parts/menu';
import { Notice } from '@gatehouse/ui/parts/notice';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { roleName } from '@gatehouse/ui/team/role-name';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { Link } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { takeKept } from '../../tab-storage.js';
import { useMayLeave } from '../account/account-place.js';
import { LeaveDialog } from '../account/leave-dialog.js';
import { isReadOnly, type OwnPlace, placesOf, useMe } from '../session/me.js';
import { t } from '../words.js';
import { ClosedAccounts } from './closed-accounts.js';
import { HeldPeople } from './held-people.js';
import { MyInvitations } from './my-invitations.js';
import { NewAccount } from './new-account.js';

/** Whether an account is open to its member, as an icon and in words. */
export interface ToldState {
  readonly tone: StatusTone;
  readonly words: string;
}

export function stateOf({ requires, subscription }: Pick<OwnPlace, 'requires' | 'subscription'>): ToldState {
  if (requires !== null) return { tone: 'error', words: t('state.requires') };
  const { state, active, trialEndsAt, periodEndsAt, cancelAt } = subscription;
  if (!active) return { tone: 'pending', words: t('state.unpaid') };
  if (state === 'trialing' && trialEndsAt !== null)
    return { tone: 'ok', words: t('state.trial', { day: shownDay(trialEndsAt) }) };
  if (state === 'past_due') return { tone: 'pending', words: t('state.pastDue') };
  const endsAt = cancelAt ?? (state === 'canceled' ? periodEndsAt : null);
  if (endsAt !== null) return { tone: 'pending', words: t('state.ends', { day: shownDay(endsAt) }) };
  return { tone: 'ok', words: t('state.paid') };
}

export const HomeScreen = inLanguage(Home);

function Home(): ReactElement {
  const me = useMe();
  const mayLeave = useMayLeave();
  const [notice, setNotice] = useState(() => takeKept('notice'));
  const [isOpening, setOpening] = useState(false);
  const [leaving, setLeaving] = useState<OwnPlace>();
  const places = placesOf(me);
  const closeLeaving = (): void => {
    setLeaving(undefined);
    setNotice(takeKept('notice'));
  };
  const told = places.map((place) => ({ place, ...stateOf(place) }));
  const closed = told.filter(({ tone }) => tone === 'error').length;
  return (
    <Screen
      title={t('home.title', { name: me.member.firstName || shownName(me.member) })}
      lead={leadOf(places.length, closed)}
      actions={
        isReadOnly(me) ? undefined : (
          <Button kind="primary" onClick={() => setOpening(true)}>
            {t('new.open')}
          </Button>
        )
      }
    >
      <Notice text={notice} onClose={setNotice} />
      {isReadOnly(me) ? null : <HeldPeople />}
      {isReadOnly(me) ? null : <MyInvitations />}
      {places.length === 0 ? null : (
        <Card title={t('home.accounts')}>
          <ul>
            {told.map(({ place, tone, words }) => (
              <Row
                key={place.accountId}
                place={place}
                tone={tone}
                words={words}
                onLeave={mayLeave(place) ? () => setLeaving(place) : undefined}
              />
            ))}
          </ul>
        </Card>
      )}
      <ClosedAccounts />
      {isOpening ? <NewAccount onClose={() => setOpening(false)} /> : null}
      {leaving === undefined ? null : <LeaveDialog place={leaving} onClose={closeLeaving} />}
    </Screen>
  );
}

/** What a member should know first; undefined if all their accounts are open to them. */
function leadOf(count: number, closed: number): string | undefined {
  if (count === 0) return t('home.none');
  return closed === 0 ? undefined : t('home.someOpen', { count: closed });
}

function Row({
  place: { accountId, accountName, roleLabel },
  tone,
  words,
  onLeave,
}: {
  readonly place: OwnPlace;
  readonly tone: StatusTone;
  readonly words: string;
  /** Absent where one may not leave. */
  readonly onLeave: (() => void) | undefined;
}): ReactElement {
  return (
    <li className="grid grid-cols-[2rem_minmax(0,1fr)_auto] items-start gap-x-3 gap-y-1 border-b border-line px-3 py-2.5 last:border-0 rows:grid-cols-[2rem_minmax(0,1fr)_10rem_3rem]">
      {tone === 'ok' ? (
        <Initials of={accountName} />
      ) : (
        <span className="grid size-8 place-items-center">
          <StatusIcon tone={tone} />
        </span>
      )}
      <div className="min-w-0">
        <Link
          to="/a/$account"
          params={{ account: String(accountId) }}
          className="inline-block min-h-6 font-semibold underline decoration-line underline-offset-3 hover:decoration-ink"
        >
          <bdi>{accountName}</bdi>
        </Link>
        <p className="text-quiet">{words}</p>
      </div>
      <bdi className="col-start-2 text-quiet wrap-anywhere rows:col-start-3">{roleName(roleLabel)}</bdi>
      {onLeave === undefined ? null : (
        <div className="col-start-3 row-start-1 rows:col-start-4">
          <Menu
            isRow
            label={ofTeams('team.actions', { name: accountName })}
            about={accountName}
            items={[{ words: t('home.leave'), isGrave: true, onClick: onLeave }]}
          />
        </div>
      )}
    </li>
  );
}
