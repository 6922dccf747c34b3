import { ROLES } from '@gatehouse/client-sdk/admin';
import { useSending } from '@gatehouse/ui/failure/use-sending';
import { AddressField } from '@gatehouse/ui/form/address-field';
import { Form } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { proven } from '@gatehouse/ui/session/proven';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { gatehouse } from '../client.js';
import { type AccountPage, accountKey } from './account-page.js';
import { givenRoles } from './given-roles.js';
import { t } from './words.js';

/** Invites one address after the other. */
export function InviteSheet({
  page,
  onNotice,
}: {
  readonly page: AccountPage;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { id } = page.account;
  const queries = useQueryClient();
  const sending = useSending('email', 'role');
  const [sent, setSent] = useState(0);
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), [sent]);
  return (
    <Sheet title={t('invite.title')}>
      <div ref={place} className="p-3">
        <Form
          sending={sending}
          onSend={async ({ email = '', role = '' }, signal) => {
            const { api } = gatehouse.withAccount(id);
            const wanted = { email: email.trim(), roleType: Number(role) };
            const { data } = await proven(() => api.invitation.create.mutate(wanted, { signal }));
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
            <Button type="submit" kind="primary" isBusy={sending.isBusy}>
              {t('invite.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Sheet>
  );
}
