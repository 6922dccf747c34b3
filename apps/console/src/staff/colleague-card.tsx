import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { AddressField } from '@gatehouse/ui/form/address-field';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { shownAddress } from '@gatehouse/ui/screen/shown-address';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMe } from '../session/me.js';
import { Fact, Facts } from '../shell/facts.js';
import { t } from '../words.js';
import { StaffRoleField } from './colleague-fields.js';
import { type Colleague, saveColleague } from './colleague-query.js';

/** Who a colleague is; a form for those who may change it. Nobody gives themselves a role. */
export function ColleagueCard({
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
            <TextField
              name="firstName"
              label={t('edit.firstName')}
              defaultValue={firstName}
              autoComplete="off"
            />
            <TextField
              name="lastName"
              label={t('edit.lastName')}
              defaultValue={lastName}
              autoComplete="off"
            />
            <AddressField
              name="email"
              label={t('fact.email')}
              hint={emailHint(colleague)}
              defaultValue={email ?? ''}
              autoComplete="off"
            />
            {isSelf ? null : <StaffRoleField role={role_type} label={role} />}
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
            <bdi>{role}</bdi>
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
