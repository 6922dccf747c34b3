import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { TextField } from '@gatehouse/ui/form/text-field';
import { LANGUAGES } from '@gatehouse/ui/messages/language';
import { LANGUAGE_NAMES } from '@gatehouse/ui/messages/language-names';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { meQuery, useMe } from '../session/me.js';
import { t } from '../words.js';

/** One's own names, and the language of one's mails. */
export function NamesCard({
  onNotice,
}: {
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const { member } = useMe();
  const queries = useQueryClient();
  const mutation = useMutationState('firstName', 'lastName', 'locale');
  return (
    <Card title={t('own.names')}>
      <div className="max-w-md p-3">
        <Form
          mutation={mutation}
          onSend={async ({ firstName = '', lastName = '', locale }, signal) => {
            onNotice(undefined);
            await gatehouse.api.profile.update.mutate(
              {
                firstName: firstName.trim(),
                lastName: lastName.trim(),
                locale: LANGUAGES.find((each) => each === locale),
              },
              { signal },
            );
            await queries.invalidateQueries({ queryKey: meQuery.queryKey });
            onNotice(t('edit.done'));
          }}
        >
          <TextField
            name="firstName"
            label={t('edit.firstName')}
            defaultValue={member.firstName}
            autoComplete="given-name"
          />
          <TextField
            name="lastName"
            label={t('edit.lastName')}
            defaultValue={member.lastName}
            autoComplete="family-name"
          />
          <SelectField
            name="locale"
            label={t('own.mails')}
            defaultValue={member.locale}
            choices={LANGUAGES.map((language) => ({ value: language, label: LANGUAGE_NAMES[language] }))}
          />
          <div>
            <Button type="submit" isBusy={mutation.isBusy}>
              {t('edit.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}
