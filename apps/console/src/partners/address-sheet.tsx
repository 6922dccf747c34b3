import { useSending } from '@gatehouse/ui/failure/use-sending';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { proven } from '@gatehouse/ui/session/proven';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';
import { PARTNERS_KEY, type Partner } from './partner-query.js';
import type { Told } from './told.js';

/** Where a partner's front end is, which may change; its name never does. */
export function AddressSheet({
  partner: { id: partnerId, appUrl },
  onTold,
}: {
  readonly partner: Partner;
  readonly onTold: (told: Told | undefined) => void;
}): ReactElement {
  const queries = useQueryClient();
  const sending = useSending('appUrl');
  return (
    <Sheet title={t('partners.sheet')}>
      <div className="max-w-md p-3">
        <Form
          sending={sending}
          onSend={async (fields, signal) => {
            onTold(undefined);
            const change = { partnerId, appUrl: (fields['appUrl'] ?? '').trim() };
            await proven(() => gatehouse.api.partner.save.mutate(change, { signal }));
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
            <Button type="submit" isBusy={sending.isBusy}>
              {t('edit.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Sheet>
  );
}
