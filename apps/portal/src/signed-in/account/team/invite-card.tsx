import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { AddressField } from '@gatehouse/ui/form/address-field';
import { Form } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useMe } from '../../session/me.js';
import { provingAddress } from '../../session/proving-address.js';
import { usePlace } from '../place.js';
import { t } from '../words.js';
import { type RoleRules, roleOf } from './roles.js';

/** Invites one address after the other. */
export function InviteCard({
  roles,
  onNotice,
}: {
  readonly roles: RoleRules;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { api, key } = usePlace();
  const { member } = useMe();
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
            const wanted = { email: email.trim(), ...roleOf(role) };
            const { data } = await provingAddress(member.email, () =>
              withReauth(() => api.invitation.create.mutate(wanted, { signal })),
            );
            const isHeld = data.delivery === 'held';
            onNotice(t(isHeld ? 'invite.held' : 'invite.sent', { email: data.email }));
            setSent(sent + 1);
            await queries.invalidateQueries({ queryKey: [...key, 'invitations'] });
          }}
        >
          <div className="grid gap-5 rows:grid-cols-2">
            <AddressField key={sent} name="email" label={t('invite.email')} autoComplete="off" required />
            <SelectField
              name="role"
              label={t('invite.role')}
              choices={roles.choices}
              defaultValue={roles.least}
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
