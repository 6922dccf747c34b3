import { isGatehouseError, type MainOutputs } from '@gatehouse/client-sdk';
import { addPasskey, type MadePasskey, makePasskey, sendSignals } from '@gatehouse/client-sdk/passkeys';
import { isUnsure, useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { TextField } from '@gatehouse/ui/form/text-field';
import { deviceName } from '@gatehouse/ui/list/device-name';
import { RowAction } from '@gatehouse/ui/list/paged-list';
import { Button } from '@gatehouse/ui/parts/button';
import { Card } from '@gatehouse/ui/parts/card';
import { StatusIcon } from '@gatehouse/ui/parts/icons';
import { QueryView } from '@gatehouse/ui/screen/asked';
import { shownDay, shownTime } from '@gatehouse/ui/screen/shown-time';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { queryOptions, useQuery } from '@tanstack/react-query';
import { type ReactElement, useRef, useState } from 'react';
import { gatehouse } from '../../../client.js';
import { useMe } from '../../session/me.js';
import { Line, MailboxProof, proofIn } from './security-parts.js';
import type { Asking } from './security-status.js';
import { type Done, type Factors, useRefresh, whyKept } from './security-status.js';
import { t } from './words.js';

/** Has the browser make a passkey, and adds it. */
function AddPasskeyDialog({
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
  /** One that the service did not take yet, because the proof was wrong or no answer came. */
  const made = useRef<MadePasskey>(undefined);
  return (
    <Confirm
      title={t('add.title')}
      effect={t('add.lead')}
      action={t('add.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const name = (fields['name'] ?? '').trim();
        const wanted = { ...(name === '' ? {} : { name }), ...proofIn(fields), signal };
        made.current ??= await withReauth(() => makePasskey(gatehouse, { signal }));
        const passkey = made.current === undefined ? {} : { made: made.current };
        const added = await withReauth(() => addPasskey(gatehouse, { ...wanted, ...passkey })).catch(
          (error: unknown) => {
            if (!isUnsure(error) && !isGatehouseError(error, 'proof_required')) made.current = undefined;
            throw error;
          },
        );
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
    </Confirm>
  );
}

/** Whether a passkey is the member's only way to sign in, so that the service keeps it. */
function useIsOnlyWayIn({ passkeys }: Factors): boolean {
  const { member } = useMe();
  const isAlone = passkeys === 1 && member.email === null && !member.hasPassword;
  const connections = useQuery({
    queryKey: ['you', 'connections', 'first'],
    queryFn: ({ signal }) => gatehouse.api.social.list.query({ limit: 1 }, { signal }),
    enabled: isAlone,
  });
  return isAlone && (connections.data === undefined || connections.data.data.length === 0);
}

interface About {
  readonly passkey: OwnPasskey;
  readonly onDone: (done: Done) => void;
}

function statusOf({ isSuspect, isUsable, backedUp }: OwnPasskey): string {
  if (isSuspect) return t('passkey.suspect');
  if (!isUsable) return t('passkey.elsewhere');
  return t(backedUp ? 'passkey.synced' : 'passkey.bound');
}

const KEPT = { policy: 'kept.policy', lastStep: 'kept.lastStep', wayIn: 'kept.wayIn' } as const;

function PasskeyRow({ passkey, factors, onDone }: About & { readonly factors: Factors }): ReactElement {
  const { name, createdAt, lastUsedAt, isUsable } = passkey;
  const [asked, setAsked] = useState<'name' | 'remove'>();
  const isOnlyWayIn = useIsOnlyWayIn(factors);
  const kept = !isUsable ? undefined : isOnlyWayIn ? 'wayIn' : whyKept(factors, 'passkey');
  const close = (): void => setAsked(undefined);
  return (
    <li className="grid items-start gap-x-3 gap-y-1 p-3 rows:grid-cols-[minmax(0,1fr)_auto]">
      <div className="min-w-0">
        <p className="flex items-start gap-2">
          {isUsable ? null : (
            <span className="pt-0.5">
              <StatusIcon tone="error" />
            </span>
          )}
          <bdi className="font-semibold">{name}</bdi>
        </p>
        <p className="text-quiet">
          {lastUsedAt === null
            ? t('passkey.unused', { day: shownDay(createdAt) })
            : t('passkey.used', { day: shownDay(createdAt), time: shownTime(lastUsedAt) })}
        </p>
        <p className="text-quiet">{statusOf(passkey)}</p>
        {kept === undefined ? null : <p>{t(KEPT[kept])}</p>}
      </div>
      <div className="flex flex-wrap gap-x-4 rows:justify-end">
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
    <Confirm
      title={t('passkeyName.title')}
      effect={t('passkeyName.lead')}
      action={t('passkeyName.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ name = '' }, signal) => {
        const named = { passkeyId: passkey.id, name: name.trim() };
        const { data } = await gatehouse.api.passkey.rename.mutate(named, { signal });
        await refresh();
        onDone({ notice: t('passkeyName.done', { name: data.name }) });
        onClose();
      }}
      onClose={onClose}
    >
      <TextField name="name" label={t('add.name')} defaultValue={passkey.name} autoComplete="off" required />
    </Confirm>
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

/** The greatest number that the service allows. */
const MOST = 20;

export const passkeysQuery = queryOptions({
  queryKey: ['you', 'passkeys'],
  queryFn: ({ signal }) => gatehouse.api.passkey.list.query(undefined, { signal }),
});

/** The passkeys of the person signed in. */
export function PasskeysCard({
  factors,
  isOnlyAdding,
  asking: { isAsking, isInHeader, ask },
  onDone,
}: {
  readonly factors: Factors;
  /** Whether the session may add a factor and nothing else. */
  readonly isOnlyAdding: boolean;
  readonly asking: Asking;
  readonly onDone: (done: Done) => void;
}): ReactElement {
  const answer = useQuery(passkeysQuery);
  const knowsPasskeys = 'PublicKeyCredential' in globalThis;
  const known = isOnlyAdding ? [] : (answer.data?.list ?? []);
  const mayAdd = knowsPasskeys && known.length < MOST;
  return (
    <Card title={t('passkeys.title')}>
      <QueryView answer={answer} isPart>
        {() => (
          <>
            {known.length === 0 ? null : (
              <ul className="divide-y divide-line border-b border-line">
                {known.map((passkey) => (
                  <PasskeyRow key={passkey.id} passkey={passkey} factors={factors} onDone={onDone} />
                ))}
              </ul>
            )}
            <Line
              title={t('passkeys.count', { count: known.length })}
              {...(mayAdd && !isInHeader
                ? { actions: <Button onClick={() => ask(true)}>{t('passkeys.add')}</Button> }
                : {})}
            >
              <p className="text-quiet">{t(knowsPasskeys ? 'passkeys.lead' : 'passkeys.notHere')}</p>
            </Line>
          </>
        )}
      </QueryView>
      {isAsking ? <AddPasskeyDialog factors={factors} onDone={onDone} onClose={() => ask(false)} /> : null}
    </Card>
  );
}

type OwnPasskey = MainOutputs['passkey']['list']['list'][number];
