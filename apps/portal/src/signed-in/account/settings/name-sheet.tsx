import { useSending } from '@gatehouse/ui/failure/use-sending';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { usePlace } from '../place.js';
import { t } from '../words.js';

/** Gives the account another name. */
export function NameSheet({ onNotice }: { readonly onNotice: (notice: string) => void }): ReactElement {
  const { api, accountName } = usePlace();
  const queries = useQueryClient();
  const sending = useSending('name');
  return (
    <Sheet title={t('name.title')}>
      <div className="p-3">
        <Form
          sending={sending}
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
            <Button type="submit" isBusy={sending.isBusy}>
              {t('name.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Sheet>
  );
}
