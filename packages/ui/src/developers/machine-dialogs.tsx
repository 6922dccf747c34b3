import { isGatehouseError } from '@gatehouse/client-sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMutationState, useOnce } from '../failure/use-mutation-state.js';
import { Confirm } from '../form/confirm.js';
import { SelectField } from '../form/select-field.js';
import { TextField } from '../form/text-field.js';
import { withReauth } from '../session/with-reauth.js';
import { type Machine, type MachineRules, usePrograms } from './programs.js';
import { t } from './words.js';

const MAX_NAME_LENGTH = 80;

interface Closes {
  readonly rules: MachineRules;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}

/** Makes a machine, or changes the name and the role of one. */
export function MachineDialog({
  machine,
  rules,
  onNotice,
  onClose,
}: Closes & {
  /** The existing one to change; absent for a new one. */
  readonly machine?: Machine | undefined;
}): ReactElement {
  const { key } = usePrograms();
  const queries = useQueryClient();
  const mutation = useMutationState('name', 'role');
  const isNew = machine === undefined;
  const { role: roles } = rules;
  return (
    <Confirm
      title={isNew ? t('machine.newTitle') : t('machine.editTitle', { name: machine.name })}
      effect={isNew ? t('machine.newLead') : rules.words.editLead}
      action={t(isNew ? 'machine.create' : 'machine.save')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ name = '', role = '' }, signal) => {
        const wanted = {
          ...(isNew ? {} : { machineId: machine.id }),
          name: name.trim(),
          role,
        };
        const { data } = await withReauth(() => rules.save(wanted, signal));
        await queries.invalidateQueries({ queryKey: [...key, 'machines'] });
        onNotice(t(isNew ? 'machine.created' : 'machine.saved', { name: data.name }));
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('machine.name')}
        hint={t('machine.nameHint')}
        defaultValue={machine?.name ?? ''}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        required
      />
      {roles === undefined ? null : (
        <SelectField
          name="role"
          label={t('machine.role')}
          choices={roles.choices}
          defaultValue={roles.chosen(machine)}
        />
      )}
    </Confirm>
  );
}

/** Removes a machine, with its keys. */
export function RemoveMachineDialog({
  machine: { id: machineId, name },
  rules,
  onNotice,
  onClose,
}: Closes & { readonly machine: Machine }): ReactElement {
  const { api, key } = usePrograms();
  const queries = useQueryClient();
  const mutation = useMutationState('typed');
  const once = useOnce();
  return (
    <Confirm
      title={t('machine.removeTitle', { name })}
      effect={rules.words.removeEffect}
      action={t('machine.removeSubmit')}
      typed={{ label: t('machine.typed'), text: name }}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await withReauth(() => api.machine.remove.mutate({ machineId }, { signal }));
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await queries.invalidateQueries({ queryKey: [...key, 'machines'] });
        onNotice(t('machine.removed', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
