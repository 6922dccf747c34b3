import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { usePlace } from '../place.js';
import { t } from '../words.js';

/** Gives the account another name. */
export function NameCard({ onNotice }: { readonly onNotice: (notice: string) => void }): ReactElement {
  const { api, accountName } = usePlace();
  const queries = useQueryClient();
  const mutation = useMutationState('name');
  return (
    <Card title={t('name.title')}>
      <div className="p-3">
        <Form
          mutation={mutation}
          onSend={async ({ name = '' }, signal) => {
            const { data } = await api.account.rename.mutate({ name: name.trim() }, { signal });
            await queries.invalidateQueries();
            onNotice(t('name.done', { name: data.name }));
          }}
        >
          <TextField
            name="name"
            label={t('name.field')}
            defaultValue={accountName}
            autoComplete="organization"
            required
          />
          <div>
            <Button type="submit" isBusy={mutation.isBusy}>
              {t('name.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}
