import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { PasswordField } from '@gatehouse/ui/form/password-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { t } from '../words.js';

/** Changes one's own password, which ends one's other sessions. */
export function PasswordCard({
  onNotice,
}: {
  readonly onNotice: (notice: string | undefined) => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('currentPassword', 'newPassword');
  const [times, setTimes] = useState(0);
  return (
    <Card title={t('field.password')}>
      <div className="max-w-md p-3">
        <Form
          key={times}
          mutation={mutation}
          onSend={async ({ currentPassword = '', newPassword = '' }, signal) => {
            onNotice(undefined);
            await withReauth(() =>
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
            <Button type="submit" isBusy={mutation.isBusy}>
              {t('own.changePassword')}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}
