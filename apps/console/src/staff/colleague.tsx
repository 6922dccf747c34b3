import { ROLES } from '@gatehouse/client-sdk/admin';
import { Banner } from '@gatehouse/ui/parts/banner';
import type { GateState } from '@gatehouse/ui/parts/gate';
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
import { type Colleague, useColleague } from './colleague-query.js';
import { ColleagueSheet } from './colleague-sheet.js';
import { GrantsSheet } from './grants-sheet.js';

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
  const { state, title, lead } = verdictOn(colleague);
  return (
    <div className="flex flex-col gap-4">
      <Trail to="/staff" all={t('staff.title')} id={colleague.id} name={shownName(colleague)} />
      <Screen
        title={title}
        state={state}
        lead={lead}
        actions={mayManage ? <ColleagueActions colleague={colleague} onNotice={setNotice} /> : null}
      >
        {notice === undefined ? null : <Banner state="open">{notice}</Banner>}
        <GrantsSheet colleague={colleague} mayManage={mayManage} onNotice={setNotice} />
        <ColleagueSheet colleague={colleague} mayManage={mayManage} onNotice={setNotice} />
      </Screen>
    </div>
  );
}

/** Where somebody works, or why they do not. */
function verdictOn(colleague: Colleague): { state: GateState; title: string; lead: string } {
  const { active, emailVerified, role_type: role, grants, role: label } = colleague;
  const name = shownName(colleague);
  if (role === ROLES.archived)
    return { state: 'shut', title: t('verdict.banned', { name }), lead: t('staff.isBannedLead') };
  if (!active) return { state: 'shut', title: t('staff.isOff', { name }), lead: t('staff.isOffLead') };
  if (!emailVerified)
    return { state: 'ajar', title: t('staff.isInvited', { name }), lead: t('staff.isInvitedLead') };
  if (role === 0)
    return { state: 'open', title: t('staff.worksEverywhere', { name }), lead: t('staff.everywhereLead') };
  const count = grants.filter((grant) => grant.active).length;
  return {
    state: count === 0 ? 'ajar' : 'open',
    title: t('staff.works', { name, count }),
    lead: t('staff.worksLead', { role: label }),
  };
}
