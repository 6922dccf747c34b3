import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { NameFields } from '@gatehouse/ui/form/name-fields';
import { AddressField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { Notice } from '@gatehouse/ui/parts/notice';
import { Denied } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';
import { type MemberPage, MemberView, memberKey, useMemberId } from './member-page.js';

export const EditScreen = inLanguage(Edit);

function Edit(): ReactElement {
  const memberId = useMemberId();
  return (
    <MemberView memberId={memberId} here={t('edit.open')}>
      {(data) => (data.actions.includes('changeName') ? <Fields page={data} /> : <Denied />)}
    </MemberView>
  );
}

function Fields({ page }: { readonly page: MemberPage }): ReactElement {
  const { member } = page;
  const mayMove = page.actions.includes('changeAddress');
  const queries = useQueryClient();
  const mutation = useMutationState('firstName', 'lastName', 'email');
  const [notice, setNotice] = useState<string>();
  return (
    <Screen title={t('edit.title', { name: shownName(member) })} lead={t('edit.lead')}>
      <Notice text={notice} onClose={setNotice} />
      <Card title={t('edit.sheet')}>
        <div className="max-w-md p-3">
          <Form
            mutation={mutation}
            onSend={async ({ firstName = '', lastName = '', email = '' }, signal) => {
              setNotice(undefined);
              const isMoved = mayMove && email.trim() !== (member.email ?? '');
              await withReauth(() =>
                gatehouse.api.member.update.mutate(
                  {
                    memberId: member.id,
                    firstName: firstName.trim(),
                    lastName: lastName.trim(),
                    ...(isMoved ? { email: email.trim() } : {}),
                  },
                  { signal },
                ),
              );
              await queries.invalidateQueries({ queryKey: memberKey(member.id) });
              void queries.invalidateQueries({ queryKey: ['members'] });
              setNotice(isMoved ? t('edit.doneEmail', { email: email.trim() }) : t('edit.done'));
            }}
          >
            <NameFields of={member} />
            {mayMove ? (
              <AddressField
                name="email"
                label={t('fact.email')}
                hint={t('edit.emailHint')}
                defaultValue={member.email ?? ''}
                autoComplete="off"
              />
            ) : null}
            <div>
              <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
                {t('edit.submit')}
              </Button>
            </div>
          </Form>
        </div>
      </Card>
    </Screen>
  );
}
