import { isGatehouseError } from '@gatehouse/client-sdk';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { TextField } from '@gatehouse/ui/form/text-field';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { usePlace } from '../../account-place.js';
import { choiceOf, roleOf } from '../../team/team-roles.js';
import { t } from '../words.js';
import type { Machine, MachineRoles } from './machine-roles.js';

const MAX_NAME_LENGTH = 80;

interface Closes {
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}

/** Makes a machine, or changes the name and the role of one. */
export function MachineDialog({
  machine,
  roles: { choices, least },
  onNotice,
  onClose,
}: Closes & {
  /** The one to change; absent for a new one. */
  readonly machine?: Machine | undefined;
  readonly roles: MachineRoles;
}): ReactElement {
  const { api, key } = usePlace();
  const queries = useQueryClient();
  const mutation = useMutationState('name', 'role');
  const isNew = machine === undefined;
  const own = isNew ? least : choiceOf(machine);
  return (
    <Confirm
      title={isNew ? t('machine.newTitle') : t('machine.editTitle', { name: machine.name })}
      effect={t(isNew ? 'machine.newLead' : 'machine.editLead')}
      action={t(isNew ? 'machine.create' : 'machine.save')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ name = '', role = '' }, signal) => {
        const wanted = {
          ...(isNew ? {} : { machineId: machine.id }),
          name: name.trim(),
          ...roleOf(role),
        };
        const { data } = await withReauth(() => api.machine.save.mutate(wanted, { signal }));
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
      <SelectField
        name="role"
        label={t('machine.role')}
        choices={choices}
        defaultValue={choices.some(({ value }) => value === own) ? own : least}
      />
    </Confirm>
  );
}

/** Removes a machine, with its keys. */
export function RemoveMachineDialog({
  machine: { id: machineId, name },
  onNotice,
  onClose,
}: Closes & { readonly machine: Machine }): ReactElement {
  const { api, key } = usePlace();
  const queries = useQueryClient();
  const mutation = useMutationState('typed');
  const once = useOnce();
  return (
    <Confirm
      title={t('machine.removeTitle', { name })}
      effect={t('machine.removeEffect')}
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
