import { ROLES } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { NameFields } from '@gatehouse/ui/form/name-fields';
import { AddressField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { useQueryClient } from '@tanstack/react-query';
import { useParams } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { mayAsStaff, roleOf, useMe } from '../session/me.js';
import { Trail } from '../shell/breadcrumbs.js';
import { Fact, Facts } from '../shell/facts.js';
import { t } from '../words.js';
import { ColleagueActions } from './colleague-actions.js';
import { type Colleague, StaffRoleField, saveColleague, useColleague } from './colleague-fields.js';
import { GrantsCard } from './grants-card.js';

/** A colleague's details; a form for those who may change them. Nobody gives themselves a role. */
function ColleagueCard({
  colleague,
  mayManage,
  onNotice,
}: {
  readonly colleague: Colleague;
  readonly mayManage: boolean;
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const { id: personnelId, firstName, lastName, email, role, role_type } = colleague;
  const isSelf = personnelId === useMe().member.id;
  const queries = useQueryClient();
  const mutation = useMutationState('firstName', 'lastName', 'email', 'roleType');
  return (
    <Card title={t('facts.title')}>
      {mayManage ? (
        <div className="max-w-md p-3">
          <Form
            key={JSON.stringify(colleague)}
            mutation={mutation}
            onSend={async (fields, signal) => {
              onNotice(undefined);
              const address = (fields['email'] ?? '').trim();
              const given = Number(fields['roleType'] ?? role_type);
              const change = {
                personnelId,
                firstName: (fields['firstName'] ?? '').trim(),
                lastName: (fields['lastName'] ?? '').trim(),
                ...(given === role_type ? {} : { roleType: given }),
                ...(address === (email ?? '') ? {} : { email: address }),
              };
              await saveColleague(queries, change, signal);
              onNotice(t('edit.done'));
            }}
          >
            <NameFields of={{ firstName, lastName }} />
            <AddressField
              name="email"
              label={t('fact.email')}
              hint={emailHint(colleague)}
              defaultValue={email ?? ''}
              autoComplete="off"
            />
            {isSelf ? null : (
              <StaffRoleField
                role={role_type}
                label={role_type === ROLES.archived ? t('state.banned') : role}
              />
            )}
            <div>
              <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
                {t('edit.submit')}
              </Button>
            </div>
          </Form>
        </div>
      ) : (
        <Facts>
          <Fact name={t('fact.email')}>
            <bdi>{email === null ? null : shownAddress(email)}</bdi>
          </Fact>
          <Fact name={t('fact.role')}>
            <bdi>{roleOf(colleague)}</bdi>
          </Fact>
        </Facts>
      )}
    </Card>
  );
}

function emailHint({ pendingEmail, emailVerified }: Colleague): string {
  if (pendingEmail !== null) return t('staff.pending', { email: pendingEmail });
  return t(emailVerified ? 'edit.emailHint' : 'staff.emailHint');
}

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
  return (
    <QueryView
      answer={answer}
      title={t('frame.staff')}
      trail={
        <Trail
          to="/staff"
          all={t('frame.staff')}
          id={personnelId}
          name={answer.data && shownName(answer.data)}
        />
      }
    >
      {(colleague) => <Shown colleague={colleague} />}
    </QueryView>
  );
}

function Shown({ colleague }: { readonly colleague: Colleague }): ReactElement {
  const mayManage = mayAsStaff(useMe(), 'personnel.manage');
  const [notice, setNotice] = useState<string>();
  const { tone, title, lead } = statusOf(colleague);
  return (
    <Screen
      title={title}
      tone={tone}
      lead={lead}
      actions={mayManage ? <ColleagueActions colleague={colleague} onNotice={setNotice} /> : null}
    >
      <Notice text={notice} onClose={setNotice} />
      <GrantsCard colleague={colleague} mayManage={mayManage} onNotice={setNotice} />
      <ColleagueCard colleague={colleague} mayManage={mayManage} onNotice={setNotice} />
    </Screen>
  );
}

/** The granted accounts of a colleague, or why they have none. */
function statusOf(colleague: Colleague): { tone: StatusTone; title: string; lead: string } {
  const { active, emailVerified, role_type: role, grants } = colleague;
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
    lead: t('staff.worksLead', { role: roleOf(colleague) }),
  };
}
