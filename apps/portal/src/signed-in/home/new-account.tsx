import { useSending } from '@gatehouse/screens/failure/use-sending';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Sheet } from '@gatehouse/ui/parts/sheet';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef } from 'react';
import { gatehouse } from '../../client.js';
import { meQuery } from '../session/me.js';
import { t } from '../words.js';

/** Opens another account, and goes there. */
export function NewAccount(): ReactElement {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const sending = useSending('name');
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  return (
    <Sheet title={t('new.title')}>
      <div ref={place} className="max-w-xl p-3">
        <Form
          sending={sending}
          onSend={async ({ name = '' }, signal) => {
            const { data } = await gatehouse.api.account.create.mutate({ name: name.trim() }, { signal });
            await queries.invalidateQueries({ queryKey: meQuery.queryKey });
            await queries.invalidateQueries({ queryKey: ['you'] });
            await navigate({ to: '/a/$account/team', params: { account: String(data.id) } });
          }}
        >
          <TextField
            name="name"
            label={t('new.name')}
            hint={t('new.hint')}
            autoComplete="organization"
            required
          />
          <div>
            <Button type="submit" kind="primary" isBusy={sending.isBusy}>
              {t('new.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Sheet>
  );
}
