import { isUnsure, useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { TextField } from '@gatehouse/ui/form/text-field';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useRef, useState } from 'react';
import { gatehouse } from '../../client.js';
import { meQuery, placesOf, useMe } from '../session/me.js';
import { t } from '../words.js';

/** Creates another account, and opens it. */
export function NewAccount({ onClose }: { readonly onClose: () => void }): ReactElement {
  const queries = useQueryClient();
  const navigate = useNavigate();
  const mutation = useMutationState('name');
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

  return (
    <Confirm
      title={t('new.title')}
      effect={t('new.hint')}
      action={t('new.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ name = '' }, signal) => {
        const id = await openOnce(name.trim(), signal);
        await queries.invalidateQueries({ queryKey: meQuery.queryKey });
        await queries.invalidateQueries({ queryKey: ['you'] });
        await navigate({ to: '/a/$account/team', params: { account: String(id) } });
      }}
      onClose={onClose}
    >
      <TextField name="name" label={t('new.name')} autoComplete="organization" required />
    </Confirm>
  );
}
