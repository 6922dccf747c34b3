import { usePages } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { roleName } from '@gatehouse/ui/team/role-name';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { type ReactElement, useRef, useState } from 'react';
import { useIsPrimaryOwner, useMayLeave, usePlace } from '../account-place.js';
import { LeaveDialog } from '../leave-dialog.js';
import { t } from '../words.js';
import { AwayMembers } from './away-members.js';
import { Members } from './members.js';
import { Invitations, Invite, takeDraft } from './team-invitations.js';
import { useRoles } from './team-roles.js';

export const TeamScreen = inLanguage(Team);

function Team(): ReactElement {
  const { maySee, roleLabel } = usePlace();
  return maySee('member.list') ? <People /> : <Denied role={roleName(roleLabel)} />;
}

function People(): ReactElement {
  const place = usePlace();
  const { api, key, accountId, mayDo } = place;
  const members = usePages([...key, 'members'], (page, signal) => api.member.list.query(page, { signal }));
  const isPrimaryOwner = useIsPrimaryOwner(accountId);
  const mayLeave = useMayLeave();
  const roles = useRoles();
  const [draft, setDraft] = useState(() => takeDraft(accountId));
  const [isInviting, setInviting] = useState(draft !== undefined);
  const opener = useRef<HTMLButtonElement>(null);
  const [isLeaving, setLeaving] = useState(false);
  const [notice, setNotice] = useState<string>();
  const canInvite = mayDo('member.manage');

  return (
    <QueryView answer={members} title={t('team.title')}>
      {(rows) => (
        <Screen
          title={t('team.title')}
          lead={t(members.hasNextPage ? 'team.countMany' : 'team.count', { count: rows.length })}
          actions={
            canInvite || mayLeave(place) ? (
              <>
                {canInvite && !isInviting ? (
                  <Button ref={opener} kind="primary" onClick={() => setInviting(true)}>
                    {ofTeams('invite.open')}
                  </Button>
                ) : null}
                {mayLeave(place) ? <Button onClick={() => setLeaving(true)}>{t('leave.open')}</Button> : null}
              </>
            ) : undefined
          }
        >
          <Notice text={notice} onClose={setNotice} />
          {isInviting && roles !== undefined ? (
            <Invite
              roles={roles}
              draft={draft}
              onNotice={setNotice}
              onClose={() => {
                setDraft(undefined);
                setInviting(false);
                // The form had the focus.
                requestAnimationFrame(() => opener.current?.focus());
              }}
            />
          ) : null}
          <Members
            rows={rows}
            pages={members}
            roles={roles}
            isPrimaryOwner={isPrimaryOwner === true}
            onNotice={setNotice}
          />
          {canInvite && roles !== undefined ? <AwayMembers roles={roles} onNotice={setNotice} /> : null}
          {canInvite ? <Invitations onNotice={setNotice} /> : null}
          {isLeaving ? <LeaveDialog place={place} onClose={() => setLeaving(false)} /> : null}
        </Screen>
      )}
    </QueryView>
  );
}
