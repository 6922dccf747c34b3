import { ROLES } from '@gatehouse/client-sdk/admin';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { AddressField } from '@gatehouse/ui/form/address-field';
import { Form } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { gatehouse } from '../client.js';
import { type AccountPage, accountKey } from './account-page.js';
import { givenRoles } from './given-roles.js';
import { t } from './words.js';

/** Invites one address after the other. */
export function InviteCard({
  page,
  onNotice,
}: {
  readonly page: AccountPage;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { id } = page.account;
  const queries = useQueryClient();
  const mutation = useMutationState('email', 'role');
  const [sent, setSent] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), [sent]);
  return (
    <Card title={t('invite.title')}>
      <div ref={place} className="p-3">
        <Form
          mutation={mutation}
          onSend={async ({ email = '', role = '' }, signal) => {
            const { api } = gatehouse.withAccount(id);
            const wanted = { email: email.trim(), roleType: Number(role) };
            const { data } = await withReauth(() => api.invitation.create.mutate(wanted, { signal }));
            onNotice(t(data.delivery === 'held' ? 'invite.held' : 'invite.sent', { email: data.email }));
            setSent(sent + 1);
            await queries.invalidateQueries({ queryKey: accountKey(id) });
          }}
        >
          <div className="grid gap-5 rows:grid-cols-2">
            <AddressField key={sent} name="email" label={t('invite.email')} autoComplete="off" required />
            <SelectField
              name="role"
              label={t('invite.role')}
              choices={givenRoles(page)}
              defaultValue={String(ROLES.userMember)}
            />
          </div>
          <div>
            <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
              {t('invite.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}
