import { isUnsure, useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useEffect, useRef, useState } from 'react';
import { gatehouse } from '../../client.js';
import { meQuery, placesOf, useMe } from '../session/me.js';
import { t } from '../words.js';

/** Creates another account, and opens it. */
export function NewAccount(): ReactElement {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mutation = useMutationState('name');
  const place = useRef<HTMLDivElement>(null);
  const [known] = useState(placesOf(useMe()).map(({ accountId }) => accountId));
  const mayBeOpen = useRef(false);

  /** Creates the account, unless an earlier attempt with a lost answer did. */
  async function openOnce(name: string, signal: AbortSignal): Promise<number> {
    const { api } = gatehouse;
    if (mayBeOpen.current) {
      const { memberships } = await api.session.me.query(undefined, { signal });
      const own = memberships.find((each) => each.accountName === name && !known.includes(each.accountId));
      if (own !== undefined) return own.accountId;
    }
    try {
      return (await api.account.create.mutate({ name }, { signal })).data.id;
    } catch (error) {
      if (isUnsure(error)) mayBeOpen.current = true;
      throw error;
    }
  }

  useEffect(() => place.current?.querySelector('input')?.focus(), []);
  return (
    <Card title={t('new.title')}>
      <div ref={place} className="p-3">
        <Form
          mutation={mutation}
          onSend={async ({ name = '' }, signal) => {
            const id = await openOnce(name.trim(), signal);
            await queries.invalidateQueries({ queryKey: meQuery.queryKey });
            await queries.invalidateQueries({ queryKey: ['you'] });
            await navigate({ to: '/a/$account/team', params: { account: String(id) } });
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
            <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
              {t('new.submit')}
            </Button>
          </div>
        </Form>
      </div>
    </Card>
  );
}
