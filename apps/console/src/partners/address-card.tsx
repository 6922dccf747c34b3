import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';
import { PARTNERS_KEY, type Partner } from './partner-query.js';
import type { Told } from './told.js';

/** Where a partner's front end is, which may change; its name never does. */
export function AddressCard({
  partner: { id: partnerId, appUrl },
  onTold,
}: {
  readonly partner: Partner;
  readonly onTold: (told: Told | undefined) => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('appUrl');
  return (
    <Card title={t('partners.sheet')}>
      <div className="max-w-md p-3">
        <Form
          mutation={mutation}
          onSend={async (fields, signal) => {
            onTold(undefined);
            const change = { partnerId, appUrl: (fields['appUrl'] ?? '').trim() };
            await withReauth(() => gatehouse.api.partner.save.mutate(change, { signal }));
            await queries.invalidateQueries({ queryKey: PARTNERS_KEY });
            onTold({ notice: t('edit.done') });
          }}
        >
          <TextField
            name="appUrl"
            label={t('partners.appUrl')}
            hint={t('partners.appUrlHint')}
            defaultValue={appUrl}
            inputMode="url"
            autoComplete="off"
            autoCapitalize="none"
            spellCheck={false}
            required
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
