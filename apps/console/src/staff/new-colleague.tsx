import { ROLES } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { NameFields } from '@gatehouse/ui/form/name-fields';
import { AddressField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { mayAsStaff, useMe } from '../session/me.js';
import { t } from '../words.js';
import { StaffRoleField } from './colleague-fields.js';

export const NewColleagueScreen = inLanguage(NewColleague);

function NewColleague(): ReactElement {
  return mayAsStaff(useMe(), 'personnel.manage') ? <Fields /> : <Denied />;
}

function Fields(): ReactElement {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mutation = useMutationState('email', 'firstName', 'lastName', 'roleType');
  return (
    <Screen title={t('staff.add')} lead={t('staff.addLead')}>
      <Card title={t('facts.title')}>
        <div className="max-w-md p-3">
          <Form
            mutation={mutation}
            onSend={async ({ email = '', firstName = '', lastName = '', roleType = '' }, signal) => {
              const person = {
                email: email.trim(),
                firstName: firstName.trim(),
                lastName: lastName.trim(),
                roleType: Number(roleType),
              };
              const { data } = await withReauth(() =>
                gatehouse.api.personnel.save.mutate(person, { signal }),
              );
              void queries.invalidateQueries({ queryKey: ['staff'] });
              await navigate({ to: '/staff/$personnelId', params: { personnelId: String(data.id) } });
            }}
          >
            <AddressField name="email" label={t('fact.email')} autoComplete="off" required />
            <NameFields required />
            <StaffRoleField role={ROLES.accountManager} />
            <div>
              <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
                {t('staff.invite')}
              </Button>
            </div>
          </Form>
        </div>
      </Card>
    </Screen>
  );
}
