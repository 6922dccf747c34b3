import { sendSignals } from '@gatehouse/client-sdk/passkeys';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { TextField } from '@gatehouse/ui/form/text-field';
import { RowAction } from '@gatehouse/ui/list/row-action';
import { StatusIcon } from '@gatehouse/ui/parts/status-icon';
import { shownDay, shownTime } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { type Factors, whyKept } from './factors.js';
import { FormDialog } from './form-dialog.js';
import type { OwnPasskey } from './own-passkey.js';
import { type Done, useRefresh } from './use-done.js';
import { useIsOnlyWayIn } from './use-is-only-way-in.js';
import { t } from './words.js';

interface About {
  readonly passkey: OwnPasskey;
  readonly onDone: (done: Done) => void;
}

function standingOf({ isSuspect, isUsable, backedUp }: OwnPasskey): string {
  if (isSuspect) return t('passkey.suspect');
  if (!isUsable) return t('passkey.elsewhere');
  return t(backedUp ? 'passkey.synced' : 'passkey.bound');
}

const KEPT = { policy: 'kept.policy', lastStep: 'kept.lastStep', wayIn: 'kept.wayIn' } as const;

export function PasskeyRow({
  passkey,
  factors,
  onDone,
}: About & { readonly factors: Factors }): ReactElement {
  const { name, createdAt, lastUsedAt, isUsable } = passkey;
  const [asked, setAsked] = useState<'name' | 'remove'>();
  const isOnlyWayIn = useIsOnlyWayIn(factors);
  const kept = !isUsable ? undefined : isOnlyWayIn ? 'wayIn' : whyKept(factors, 'passkey');
  const close = (): void => setAsked(undefined);
  return (
    <li className="grid grid-cols-[1rem_minmax(0,1fr)] items-start gap-x-3 gap-y-1 p-3 rows:grid-cols-[1rem_minmax(0,1fr)_auto]">
      <span className="pt-0.5">
        <StatusIcon tone={isUsable ? 'ok' : 'error'} />
      </span>
      <div className="min-w-0">
        <bdi className="font-semibold">{name}</bdi>
        <p className="text-quiet">
          {lastUsedAt === null
            ? t('passkey.unused', { day: shownDay(createdAt) })
            : t('passkey.used', { day: shownDay(createdAt), time: shownTime(lastUsedAt) })}
        </p>
        <p className="text-quiet">{standingOf(passkey)}</p>
        {kept === undefined ? null : <p>{t(KEPT[kept])}</p>}
      </div>
      <div className="col-start-2 flex flex-wrap gap-x-4 rows:col-start-3 rows:justify-end">
        <RowAction about={name} onClick={() => setAsked('name')}>
          {t('passkey.rename')}
        </RowAction>
        {kept === undefined ? (
          <RowAction about={name} isGrave onClick={() => setAsked('remove')}>
            {t('passkey.remove')}
          </RowAction>
        ) : null}
      </div>
      {asked === 'name' ? <NameDialog passkey={passkey} onDone={onDone} onClose={close} /> : null}
      {asked === 'remove' ? <RemoveDialog passkey={passkey} onDone={onDone} onClose={close} /> : null}
    </li>
  );
}

function NameDialog({ passkey, onDone, onClose }: About & { readonly onClose: () => void }): ReactElement {
  const refresh = useRefresh();
  const mutation = useMutationState('name');
  return (
    <FormDialog
      title={t('passkeyName.title')}
      lead={t('passkeyName.lead')}
      action={t('passkeyName.submit')}
      mutation={mutation}
      onSend={async ({ name = '' }, signal) => {
        const named = { passkeyId: passkey.id, name: name.trim() };
        const { data } = await gatehouse.api.passkey.rename.mutate(named, { signal });
        await refresh();
        onDone({ notice: t('passkeyName.done', { name: data.name }) });
        onClose();
      }}
      onClose={onClose}
    >
      <TextField name="name" label={t('add.name')} defaultValue={passkey.name} autoComplete="off" required />
    </FormDialog>
  );
}

function RemoveDialog({ passkey, onDone, onClose }: About & { readonly onClose: () => void }): ReactElement {
  const refresh = useRefresh();
  const mutation = useMutationState();
  const { id, name } = passkey;
  return (
    <Confirm
      title={t('passkey.removeTitle', { name })}
      effect={t('passkey.removeEffect')}
      action={t('passkey.removeSubmit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        const { signals } = await withReauth(() =>
          gatehouse.api.passkey.remove.mutate({ passkeyId: id }, { signal }),
        );
        await sendSignals(signals);
        await refresh();
        onDone({ notice: t('passkey.removed', { name }) });
        onClose();
      }}
      onClose={onClose}
    />
  );
}
