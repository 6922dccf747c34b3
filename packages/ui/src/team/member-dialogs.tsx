import type { ComponentProps, ReactElement, ReactNode } from 'react';
import { useMutationState } from '../failure/use-mutation-state.js';
import { Confirm } from '../form/confirm.js';
import type { FormFields } from '../form/form.js';
import { type Choice, SelectField } from '../form/select-field.js';
import { t } from './words.js';

interface AboutMember {
  readonly name: string;
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}

/** Gives a member another role. */
export function RoleDialog({
  name,
  title = t('role.title', { name }),
  effect,
  action = t('role.submit'),
  choices,
  defaultRole,
  onSave,
  onNotice,
  onClose,
}: AboutMember & {
  readonly title?: string;
  readonly effect: ReactNode;
  readonly action?: string;
  readonly choices: readonly Choice[];
  readonly defaultRole: string;
  /** Returns the name of the role. */
  readonly onSave: (role: string, signal: AbortSignal) => Promise<string>;
}): ReactElement {
  const mutation = useMutationState('role');
  return (
    <Confirm
      title={title}
      effect={effect}
      action={action}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const role = await onSave(fields['role'] ?? '', signal);
        onNotice(t('role.done', { name, role }));
        onClose();
      }}
      onClose={onClose}
    >
      <SelectField name="role" label={t('role.field')} choices={choices} defaultValue={defaultRole} />
    </Confirm>
  );
}

/** Removes a member from an account. */
export function RemoveDialog({
  name,
  effect,
  isTyped = false,
  onRemove,
  onNotice,
  onClose,
}: AboutMember & {
  readonly effect: ReactNode;
  /** Whether the name has to be typed first. */
  readonly isTyped?: boolean;
  readonly onRemove: (signal: AbortSignal) => Promise<void>;
}): ReactElement {
  const mutation = useMutationState('typed');
  return (
    <Confirm
      title={t('remove.title', { name })}
      effect={effect}
      action={t('remove.submit')}
      {...typedName(isTyped, name)}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await onRemove(signal);
        onNotice(t('remove.done', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Makes another member the primary owner of an account. */
export function TransferDialog({
  name,
  account,
  effect,
  isTyped = false,
  onTransfer,
  onNotice,
  onClose,
  children,
}: AboutMember & {
  readonly account: string;
  readonly effect: ReactNode;
  /** Whether the name has to be typed first. */
  readonly isTyped?: boolean;
  readonly onTransfer: (fields: FormFields, signal: AbortSignal) => Promise<void>;
  /** Fields of its own. */
  readonly children?: ReactNode;
}): ReactElement {
  const mutation = useMutationState('typed', 'reason');
  return (
    <Confirm
      title={t('transfer.title', { account, name })}
      effect={effect}
      action={t('transfer.submit')}
      {...typedName(isTyped, name)}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        await onTransfer(fields, signal);
        onNotice(t('transfer.done', { name }));
        onClose();
      }}
      onClose={onClose}
    >
      {children}
    </Confirm>
  );
}

function typedName(isTyped: boolean, name: string): Pick<ComponentProps<typeof Confirm>, 'typed'> {
  return isTyped ? { typed: { label: t('member.typed'), text: name } } : {};
}
