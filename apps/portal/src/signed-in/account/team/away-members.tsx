import type { MainOutputs } from '@gatehouse/client-sdk';
import { More, RowAction, usePages } from '@gatehouse/ui/list/paged-list';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon } from '@gatehouse/ui/parts/icons';
import { shownDay } from '@gatehouse/ui/screen/shown-time';
import { type ReactElement, useState } from 'react';
import { usePlace } from '../account-place.js';
import { t } from '../words.js';
import { RemoveDialog, RoleDialog } from './change-member-dialogs.js';
import type { RoleRules } from './team-roles.js';
import { nameOf } from './team-roles.js';

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
  const name = nameOf(member);
  const isWaiting = state === 'waiting';
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 gap-y-1 border-b border-line px-3 py-2.5 last:border-0 rows:grid-cols-[1rem_minmax(0,1fr)_10rem_16rem]">
      <span className="pt-0.5">
        <StatusIcon tone={isWaiting ? 'pending' : 'error'} />
      </span>
      <div className="min-w-0">
        <bdi className="font-semibold wrap-anywhere">{name}</bdi>
        {email === null ? null : <bdi className="block text-quiet wrap-anywhere">{email}</bdi>}
        <p className="text-note text-quiet">{statusOf(member)}</p>
      </div>
      <bdi className="col-start-2 text-quiet rows:col-start-3">{role}</bdi>
      {mayChange ? (
        <div className="col-start-2 flex flex-wrap gap-x-3 rows:col-start-4 rows:justify-end rows:gap-x-4">
          {isWaiting ? (
            <RowAction about={name} onClick={() => onAsk('approve')}>
              {t('away.approve')}
            </RowAction>
          ) : null}
          <RowAction about={name} isGrave onClick={() => onAsk('remove')}>
            {t('remove.open')}
          </RowAction>
        </div>
      ) : null}
    </li>
  );
}
