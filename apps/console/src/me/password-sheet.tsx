import { useSending } from '@gatehouse/ui/failure/use-sending';
import { Form } from '@gatehouse/ui/form/form';
import { PasswordField } from '@gatehouse/ui/form/password-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { proven } from '@gatehouse/ui/session/proven';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';

/** Changes one's own password, which ends one's other sessions. */
export function PasswordSheet({
  onNotice,
}: {
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const queries = useQueryClient();
  const sending = useSending('currentPassword', 'newPassword');
  const [times, setTimes] = useState(0);
  return (
    <Sheet title={t('field.password')}>
      <div className="max-w-md p-3">
        <Form
          key={times}
          sending={sending}
          onSend={async ({ currentPassword = '', newPassword = '' }, signal) => {
            onNotice(undefined);
            await proven(() =>
              gatehouse.api.password.change.mutate({ currentPassword, newPassword }, { signal }),
            );
            await queries.invalidateQueries({ queryKey: ['me'] });
            setTimes(times + 1);
            onNotice(t('own.passwordChanged'));
          }}
        >
          <PasswordField
            name="currentPassword"
            label={t('own.currentPassword')}
            autoComplete="current-password"
            required
          />
          <PasswordField
            name="newPassword"
            label={t('own.newPassword')}
            autoComplete="new-password"
            required
          />
          <div>
            <Button type="submit" isBusy={sending.isBusy}>
              {t('own.changePassword')}
            </Button>
          </div>
        </Form>
      </div>
    </Sheet>
  );
}
