import { ROLES } from '@gatehouse/client-sdk/admin';
import { Banner } from '@gatehouse/ui/parts/banner';
import type { StatusTone } from '@gatehouse/ui/parts/status-icon';
import { Asked } from '@gatehouse/ui/screen/asked';
import { Denied } from '@gatehouse/ui/screen/denied';
import { inLanguage } from '@gatehouse/ui/screen/in-language';
import { Screen } from '@gatehouse/ui/screen/screen';
import { useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { mayAsStaff, useMe } from '../session/me.js';
import { shownName } from '../session/shown-name.js';
import { Trail } from '../shell/trail.js';
import { t } from '../words.js';
import { ColleagueActions } from './colleague-actions.js';
import { ColleagueCard } from './colleague-card.js';
import { type Colleague, useColleague } from './colleague-query.js';
import { GrantsCard } from './grants-card.js';

export const ColleagueScreen = inLanguage(OneColleague);

function OneColleague(): ReactElement {
  const { personnelId = '' } = useParams({ strict: false });
  return mayAsStaff(useMe(), 'personnel.read') ? (
    <Asking key={personnelId} personnelId={Number(personnelId)} />
  ) : (
    <Denied />
  );
}

function Asking({ personnelId }: { readonly personnelId: number }): ReactElement {
  const answer = useColleague(personnelId);
  return <Asked answer={answer}>{(colleague) => <Shown colleague={colleague} />}</Asked>;
}

function Shown({ colleague }: { readonly colleague: Colleague }): ReactElement {
  const mayManage = mayAsStaff(useMe(), 'personnel.manage');
  const [notice, setNotice] = useState<string>();
  const { tone, title, lead } = statusOf(colleague);
  return (
    <div className="flex flex-col gap-4">
      <Trail to="/staff" all={t('staff.title')} id={colleague.id} name={shownName(colleague)} />
      <Screen
        title={title}
        tone={tone}
        lead={lead}
        actions={mayManage ? <ColleagueActions colleague={colleague} onNotice={setNotice} /> : null}
      >
        {notice === undefined ? null : <Banner tone="ok">{notice}</Banner>}
        <GrantsCard colleague={colleague} mayManage={mayManage} onNotice={setNotice} />
        <ColleagueCard colleague={colleague} mayManage={mayManage} onNotice={setNotice} />
      </Screen>
    </div>
  );
}

/** Where somebody works, or why they do not. */
function statusOf(colleague: Colleague): { tone: StatusTone; title: string; lead: string } {
  const { active, emailVerified, role_type: role, grants, role: label } = colleague;
  const name = shownName(colleague);
  if (role === ROLES.archived)
    return { tone: 'error', title: t('verdict.banned', { name }), lead: t('staff.isBannedLead') };
  if (!active) return { tone: 'error', title: t('staff.isOff', { name }), lead: t('staff.isOffLead') };
  if (!emailVerified)
    return { tone: 'pending', title: t('staff.isInvited', { name }), lead: t('staff.isInvitedLead') };
  if (role === 0)
    return { tone: 'ok', title: t('staff.worksEverywhere', { name }), lead: t('staff.everywhereLead') };
  const count = grants.filter((grant) => grant.active).length;
  return {
    tone: count === 0 ? 'pending' : 'ok',
    title: t('staff.works', { name, count }),
    lead: t('staff.worksLead', { role: label }),
  };
}
