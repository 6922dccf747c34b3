import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { LANGUAGE_NAMES } from '@gatehouse/ui/messages/language-names';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { meQuery, useMe } from '../../session/me.js';
import { t } from '../words.js';

const LOCALES = ['en', 'de'] as const;

/** The language of the mails that somebody gets. That of the pages is chosen in the frame, for each browser. */
export function LanguageCard({ onNotice }: { readonly onNotice: (notice: string) => void }): ReactElement {
  const { member } = useMe();
  const queries = useQueryClient();
  const mutation = useMutationState('locale');
  return (
    <Card title={t('language.title')}>
      <div className="grid items-start gap-x-8 gap-y-5 p-3 wide:grid-cols-2">
        <p className="text-quiet">{t('language.hint')}</p>
        <Form
          mutation={mutation}
          onSend={async (fields, signal) => {
            const locale = LOCALES.find((each) => each === fields['locale']) ?? member.locale;
            const { data } = await gatehouse.api.profile.update.mutate({ locale }, { signal });
            await queries.invalidateQueries({ queryKey: meQuery.queryKey });
            onNotice(t('language.done', { language: LANGUAGE_NAMES[data.locale] }));
          }}
        >
          <SelectField
            name="locale"
            label={t('language.field')}
            choices={LOCALES.map((value) => ({ value, label: LANGUAGE_NAMES[value] }))}
            defaultValue={member.locale}
          />
          <div>
            <Button type="submit" isBusy={mutation.isBusy}>
              {t('language.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}
