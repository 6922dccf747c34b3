import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { NameFields } from '@gatehouse/ui/form/name-fields';
import { SaveButton } from '@gatehouse/ui/form/save-button';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Card } from '@gatehouse/ui/parts/card';
import { shownName } from '@gatehouse/ui/session/who-is-here';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { meQuery, useMe } from '../../session/me.js';
import { t } from '../words.js';

const FIELDS = ['firstName', 'lastName', 'username'] as const;
type Names = Readonly<Partial<Record<(typeof FIELDS)[number], string>>>;

/** Changes the member's names. They are shown at once, because this harms nobody, and reset if the service refuses. */
export function NameCard({ onNotice }: { readonly onNotice: (notice: string) => void }): ReactElement {
  const { member } = useMe();
  const queries = useQueryClient();
  const mutation = useMutationState(...FIELDS);

  async function save(names: Names, signal: AbortSignal): Promise<void> {
    const { queryKey } = meQuery;
    await queries.cancelQueries({ queryKey });
    const before = queries.getQueryData(queryKey);
    if (before !== undefined)
      queries.setQueryData(queryKey, { ...before, member: { ...before.member, ...names } });
    try {
      const { data } = await gatehouse.api.profile.update.mutate(names, { signal });
      if (before !== undefined) queries.setQueryData(queryKey, { ...before, member: data });
      onNotice(t('names.done', { name: shownName(data) }));
    } catch (error) {
      if (before !== undefined) queries.setQueryData(queryKey, before);
      throw error;
    }
  }

  return (
    <Card title={t('names.title')}>
      <div className="p-3">
        <Form
          mutation={mutation}
          onSend={async (fields, signal) => {
            const changed = FIELDS.map((name) => [name, (fields[name] ?? '').trim()] as const).filter(
              ([name, text]) => text !== member[name],
            );
            await save(Object.fromEntries(changed), signal);
          }}
        >
          <div className="grid items-start gap-5 rows:grid-cols-2 wide:grid-cols-3">
            <NameFields of={member} isOwn />
            <TextField
              name="username"
              label={t('names.username')}
              hint={t('names.usernameHint')}
              defaultValue={member.username}
              autoComplete="nickname"
              required
            />
          </div>
          <SaveButton about={t('names.title')} isBusy={mutation.isBusy} />
        </Form>
      </div>
    </Card>
  );
}
