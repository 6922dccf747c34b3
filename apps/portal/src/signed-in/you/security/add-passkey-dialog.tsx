import { addPasskey } from '@gatehouse/client-sdk/passkeys';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { TextField } from '@gatehouse/ui/form/text-field';
import { deviceName } from '@gatehouse/ui/list/device-name';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import type { Factors } from './factors.js';
import { FormDialog } from './form-dialog.js';
import { MailboxProof, proofIn } from './mailbox-proof.js';
import { type Done, useRefresh } from './use-done.js';
import { t } from './words.js';

/** Has the browser make a passkey, and adds it. */
export function AddPasskeyDialog({
  factors,
  onDone,
  onClose,
}: {
  readonly factors: Factors;
  readonly onDone: (done: Done) => void;
  readonly onClose: () => void;
}): ReactElement {
  const refresh = useRefresh();
  const mutation = useMutationState('name', 'emailCode');
  return (
    <FormDialog
      title={t('add.title')}
      lead={t('add.lead')}
      action={t('add.submit')}
      mutation={mutation}
      onSend={async (fields, signal) => {
        const name = (fields['name'] ?? '').trim();
        const wanted = { ...(name === '' ? {} : { name }), ...proofIn(fields), signal };
        const added = await withReauth(() => addPasskey(gatehouse, wanted));
        await refresh();
        const backupCodes = added?.backupCodes.length === 0 ? undefined : added?.backupCodes;
        onDone({ notice: t('add.done', { name: added?.name ?? name }), backupCodes });
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('add.name')}
        hint={t('add.nameHint')}
        defaultValue={deviceName(navigator.userAgent)}
        autoComplete="off"
      />
      {factors.needsProof ? <MailboxProof /> : null}
    </FormDialog>
  );
}
