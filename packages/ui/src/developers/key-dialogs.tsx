import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMutationState } from '../failure/use-mutation-state.js';
import { CheckGroup, checkedIn } from '../form/check-group.js';
import { Confirm } from '../form/confirm.js';
import { SelectField } from '../form/select-field.js';
import { TextField } from '../form/text-field.js';
import { CopyButton } from '../parts/copy-button.js';
import { withReauth } from '../session/with-reauth.js';
import { OverlapField } from './overlap-field.js';
import { type Key, type Machine, type MachineRules, usePrograms } from './programs.js';
import { makeSecret, ShownOnce } from './shown-once.js';
import { t } from './words.js';

/** A key that is shown once: after it was created, or replaced another. */
export interface MadeKey {
  readonly name: string;
  readonly key: string;
}

const MAX_NAME_LENGTH = 80;

const LIVES_IN_DAYS = [7, 30, 90, 180, 365];

const LIFE_IN_DAYS = 90;

const MAX_PER_MINUTE = 6_000;

const PER_MINUTE = 600;

interface Asks {
  readonly onMade: (made: MadeKey) => void;
  readonly onClose: () => void;
}

/** Makes a key for a machine. */
export function CreateKeyDialog({
  machine,
  rules,
  onMade,
  onClose,
}: Asks & {
  readonly machine: Machine;
  readonly rules: MachineRules;
}): ReactElement {
  const { api, key: ofPrograms, proving } = usePrograms();
  const queries = useQueryClient();
  const mutation = useMutationState('name', 'scopes', 'expiresInDays', 'addresses', 'perMinute');
  return (
    <Confirm
      title={t('key.newTitle', { machine: machine.name })}
      effect={rules.words.keyLead}
      action={t('key.create')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const chosen = checkedIn(fields, 'scopes');
        if (chosen.length === 0 && !rules.needsNoScope) {
          const issues = [{ path: 'scopes', message: t('key.scopesMissing') }];
          mutation.fail({ message: '', issues, mayRetry: false });
          return;
        }
        const addresses = (fields['addresses'] ?? '').split(/[\s,;]+/).filter((each) => each !== '');
        const wanted = {
          machineId: machine.id,
          name: (fields['name'] ?? '').trim(),
          scopes: chosen,
          expiresInDays: Number(fields['expiresInDays']),
          perMinute: Number(fields['perMinute']),
          ...(addresses.length === 0 ? {} : { addresses }),
        };
        const made = await makeSecret(mutation, t('key.unsure'), () =>
          proving(() => api.key.create.mutate(wanted, { signal })),
        );
        if (made !== undefined) onMade({ name: made.data.name, key: made.key });
        await queries.invalidateQueries({ queryKey: [...ofPrograms, 'keys'] });
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('key.name')}
        hint={t('key.nameHint')}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        required
      />
      <CheckGroup
        name="scopes"
        label={t('key.scopes')}
        hint={t('key.scopesHint')}
        choices={rules.scopesOf(machine).map(({ name, about }) => ({
          value: name,
          label: <code className="font-mono">{name}</code>,
          about,
        }))}
      />
      <SelectField
        name="expiresInDays"
        label={t('key.expires')}
        choices={LIVES_IN_DAYS.map((count) => ({
          value: String(count),
          label: t('key.inDays', { count }),
        }))}
        defaultValue={String(LIFE_IN_DAYS)}
        hint={t('key.expiresHint')}
      />
      <TextField
        name="addresses"
        label={t('key.addresses')}
        hint={t('key.addressesHint')}
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
      />
      <TextField
        name="perMinute"
        label={t('key.perMinute')}
        type="number"
        inputMode="numeric"
        min={1}
        max={MAX_PER_MINUTE}
        defaultValue={PER_MINUTE}
        required
      />
    </Confirm>
  );
}

interface AboutKey {
  readonly subject: Key;
  readonly onClose: () => void;
}

/** Replaces a key by another with the same settings. */
export function RotateKeyDialog({
  subject: { id: keyId, name },
  onMade,
  onClose,
}: AboutKey & Asks): ReactElement {
  const { api, key: ofPrograms, proving } = usePrograms();
  const queries = useQueryClient();
  const mutation = useMutationState('overlapHours');
  return (
    <Confirm
      title={t('rotate.title', { name })}
      effect={t('rotate.lead')}
      action={t('rotate.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const wanted = { keyId, overlapHours: Number(fields['overlapHours']) };
        const made = await makeSecret(mutation, t('rotate.unsure'), () =>
          proving(() => api.key.rotate.mutate(wanted, { signal })),
        );
        if (made !== undefined) onMade({ name: made.data.name, key: made.key });
        await queries.invalidateQueries({ queryKey: [...ofPrograms, 'keys'] });
      }}
      onClose={onClose}
    >
      <OverlapField label={t('rotate.overlap')} />
    </Confirm>
  );
}

/** Revokes a key. */
export function RevokeKeyDialog({
  subject: { id: keyId, name },
  onNotice,
  onClose,
}: AboutKey & { readonly onNotice: (notice: string) => void }): ReactElement {
  const { api, key: ofPrograms } = usePrograms();
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('revokeKey.title', { name })}
      effect={t('revokeKey.effect')}
      action={t('revokeKey.submit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await withReauth(() => api.key.revoke.mutate({ keyId }, { signal }));
        await queries.invalidateQueries({ queryKey: [...ofPrograms, 'keys'] });
        onNotice(t('revokeKey.done', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Shows a new key, and how to try it. */
export function MadeKeyDialog({
  made: { name, key },
  onClose,
}: {
  readonly made: MadeKey;
  readonly onClose: () => void;
}): ReactElement {
  const example = `curl ${location.origin}/auth/me \\\n  -H "Authorization: Bearer ${key}"`;
  return (
    <ShownOnce title={t('key.madeTitle', { name })} lead={t('key.madeLead')} secret={key} onClose={onClose}>
      <div className="flex flex-col gap-3">
        <p>{t('key.try')}</p>
        <pre className="bg-well p-3 font-mono text-note whitespace-pre-wrap wrap-anywhere" translate="no">
          {example}
        </pre>
        <div className="flex flex-wrap items-center gap-3">
          <CopyButton text={example} label={t('key.copyCommand')} />
        </div>
      </div>
    </ShownOnce>
  );
}
