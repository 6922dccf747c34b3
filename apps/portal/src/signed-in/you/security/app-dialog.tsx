import { isGatehouseError, type MainOutputs } from '@gatehouse/client-sdk';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { useOnce } from '@gatehouse/ui/failure/use-once';
import { CodeField } from '@gatehouse/ui/form/code-field';
import { Link } from '@gatehouse/ui/parts/link';
import type { ReactElement } from 'react';
import { gatehouse } from '../../../client.js';
import type { Factors } from './factors.js';
import { FormDialog } from './form-dialog.js';
import { MailboxProof, proofIn } from './mailbox-proof.js';
import { type Done, useRefresh } from './use-done.js';
import { t } from './words.js';

/** Shows the secret of an authenticator app, and takes its first code. */
export function AppDialog({
  started,
  factors,
  onDone,
  onClose,
}: {
  readonly started: MainOutputs['totp']['start']['data'];
  readonly factors: Factors;
  readonly onDone: (done: Done) => void;
  readonly onClose: () => void;
}): ReactElement {
  const refresh = useRefresh();
  const mutation = useMutationState('code', 'emailCode');
  const once = useOnce();
  const { secret, uri, qr } = started;
  return (
    <FormDialog
      title={t('app.dialog')}
      lead={t('app.dialogLead')}
      action={t('app.submit')}
      mutation={mutation}
      onSend={async (fields, signal) => {
        const sent = { code: (fields['code'] ?? '').trim(), ...proofIn(fields) };
        try {
          // Backup codes are told once: those of a lost answer nobody has seen.
          let done: Done = { notice: t(factors.backupCodesLeft === 0 ? 'app.doneUnseen' : 'app.done') };
          await once(
            async () => {
              const { data } = await gatehouse.api.totp.confirm.mutate(sent, { signal });
              done = { notice: t('app.done'), backupCodes: data.backupCodes };
            },
            async () => {
              const { data } = await gatehouse.api.factor.list.query(undefined, { signal });
              return data.totp !== null && data.totp.confirmedAt !== factors.totp?.confirmedAt;
            },
          );
          await refresh();
          onDone(done);
          onClose();
        } catch (error) {
          // The secret counts for ten minutes.
          if (!isGatehouseError(error, 'not_found')) throw error;
          mutation.fail({ message: t('app.late'), issues: [], mayRetry: false });
        }
      }}
      onClose={onClose}
    >
      {/* A picture of its own document: what is in it is never markup of this page. */}
      <img
        src={`data:image/svg+xml,${encodeURIComponent(qr)}`}
        alt={t('app.qr')}
        width={208}
        height={208}
        className="self-center bg-[white]"
      />
      <div className="flex flex-col gap-1">
        <p>{t('app.secret')}</p>
        <p className="font-mono tracking-wide wrap-anywhere select-all" translate="no">
          {secret.match(/.{1,4}/g)?.join(' ')}
        </p>
        <p>
          <Link href={uri}>{t('app.open')}</Link>
        </p>
      </div>
      <CodeField name="code" label={t('app.code')} digits={6} />
      {factors.needsProof ? <MailboxProof /> : null}
    </FormDialog>
  );
}
