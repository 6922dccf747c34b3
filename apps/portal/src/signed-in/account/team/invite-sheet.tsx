import { useSending } from '@gatehouse/ui/failure/use-sending';
import { AddressField } from '@gatehouse/ui/form/address-field';
import { Form } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { proven } from '@gatehouse/ui/session/proven';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { useMe } from '../../session/me.js';
import { provingAddress } from '../../session/proving-address.js';
import { usePlace } from '../place.js';
import { t } from '../words.js';
import { type RoleRules, roleOf } from './roles.js';

/** Invites one address after the other. */
export function InviteSheet({
  roles,
  onNotice,
}: {
  readonly roles: RoleRules;
  readonly onNotice: (notice: string) => void;
}): ReactElement {
  const { api, key } = usePlace();
  const { member } = useMe();
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
            const wanted = { email: email.trim(), ...roleOf(role) };
            const { data } = await provingAddress(member.email, () =>
              proven(() => api.invitation.create.mutate(wanted, { signal })),
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
            <Button type="submit" kind="primary" isBusy={sending.isBusy}>
              {t('invite.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Sheet>
  );
}
