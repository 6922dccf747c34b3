import type { MainOutputs } from '@gatehouse/client-sdk';
import { More, usePages } from '@gatehouse/ui/list/paged-list';
import { Card } from '@gatehouse/ui/parts/card';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { roleName } from '@gatehouse/ui/team/role-name';
import { TeamRow } from '@gatehouse/ui/team/team-row';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { type ReactElement, useState } from 'react';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';
import { RemoveDialog, RoleDialog } from './change-member-dialogs.js';
import type { RoleRules } from './team-roles.js';

type AwayMember = MainOutputs['membership']['listAway']['data'][number];
type Asking = 'approve' | 'remove';

/** The members who are deleted and may come back, and those who came back and await approval. Nothing if there are none. */
export function AwayMembers({
  roles,
  onNotice,
}: {
  readonly roles: RoleRules;
  readonly onNotice: (notice: string) => void;
}): ReactElement | null {
  const { api, key } = usePlace();
  const list = usePages([...key, 'away'], (page, signal) => api.membership.listAway.query(page, { signal }));
  const [asked, setAsked] = useState<{ readonly about: AwayMember; readonly what: Asking }>();
  const close = (): void => setAsked(undefined);
  const { data: rows = [] } = list;
  if (rows.length === 0) return null;
  return (
    <Card title={t('away.title')}>
      <p className="border-b border-line px-3 py-2.5">{t('away.lead')}</p>
      <ul>
        {rows.map((member) => (
          <Row
            key={member.id}
            member={member}
            mayChange={roles.mayChange(member.roleType)}
            onAsk={(what) => setAsked({ about: member, what })}
          />
        ))}
      </ul>
      <More of={list} />
      {asked?.what === 'approve' ? (
        <RoleDialog
          member={{ ...asked.about, accountRole: asked.about.roleType }}
          roles={roles}
          isApproval
          onNotice={onNotice}
          onClose={close}
        />
      ) : null}
      {asked?.what === 'remove' ? (
        <RemoveDialog
          member={asked.about}
          effect={t(asked.about.state === 'waiting' ? 'away.refuseEffect' : 'away.removeEffect')}
          onNotice={onNotice}
          onClose={close}
        />
      ) : null}
    </Card>
  );
}

function statusOf({ state, comesBack, restorableUntil }: AwayMember): string {
  if (state === 'waiting') return t('away.waiting');
  const status =
    restorableUntil === null ? t('away.deleted') : t('away.deletedSelf', { day: shownDay(restorableUntil) });
  return comesBack ? status : `${status} ${t('away.withoutAccess')}`;
}

function Row({
  member,
  mayChange,
  onAsk,
}: {
  readonly member: AwayMember;
  readonly mayChange: boolean;
  readonly onAsk: (what: Asking) => void;
}): ReactElement {
  const { email, role, state } = member;
  const isWaiting = state === 'waiting';
  const name = shownName(member);
  const approve = { words: t('away.approve'), onClick: () => onAsk('approve') };
  const remove = { words: ofTeams('remove.open'), isGrave: true, onClick: () => onAsk('remove') };
  return (
    <TeamRow
      tone={isWaiting ? 'pending' : 'error'}
      about={name}
      lines={
        <>
          <bdi className="font-semibold">{name}</bdi>
          {email === null ? null : <bdi className="block text-quiet">{email}</bdi>}
          <p className="text-note text-quiet">{statusOf(member)}</p>
        </>
      }
      role={role === null ? null : roleName(role)}
      actions={mayChange ? [...(isWaiting ? [approve] : []), remove] : []}
    />
  );
}
