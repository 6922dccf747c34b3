import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form } from '@gatehouse/ui/form/form';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { Dialog } from '@gatehouse/ui/parts/dialog';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import { nameOf, type OwnSession, SESSIONS_KEY } from './own-session.js';
import { t } from './words.js';

/** Names a session, so that its member knows the device again. */
export function RenameDialog({
  session,
  onClose,
}: {
  readonly session: OwnSession;
  readonly onClose: () => void;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('name');
  return (
    <Dialog title={t('rename.title')} onClose={onClose}>
      <Form
        mutation={mutation}
        onSend={async ({ name = '' }, signal) => {
          const named = { sessionId: session.id, name: name.trim() };
          await gatehouse.api.session.rename.mutate(named, { signal });
          await queries.invalidateQueries({ queryKey: SESSIONS_KEY });
          onClose();
        }}
      >
        <TextField
          name="name"
          label={t('rename.field')}
          hint={t('rename.hint')}
          defaultValue={nameOf(session)}
          autoComplete="off"
          required
        />
        <div className="flex flex-wrap gap-3">
          <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
            {t('rename.submit')}
          </Button>
          <Button onClick={onClose}>{t('rename.cancel')}</Button>
        </div>
      </Form>
    </Dialog>
  );
}
