import { type AdminOutputs, isGatehouseError } from '@gatehouse/client-sdk/admin';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { TextField } from '@gatehouse/ui/form/text-field';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { gatehouse } from '../client.js';
import { DEPLOYMENT_KEY } from './developer-frame.js';
import { t } from './words.js';

export type Resource = AdminOutputs['resource']['list']['data'][number];

export type Machine = AdminOutputs['machine']['list']['data'][number];

/** The cache key of the list of APIs. */
export const RESOURCES_KEY = [...DEPLOYMENT_KEY, 'resources'] as const;

const MAX_NAME_LENGTH = 80;

const MAX_ORIGIN_LENGTH = 320;

const LIVES_IN_SECONDS = [60, 120, 180, 240, 300];

const LIFE_IN_SECONDS = 300;

const MINUTE = 60;

/** The lifetime of tokens, in whole minutes if possible. */
export const lifeText = (seconds: number): string =>
  seconds % MINUTE === 0
    ? t('resource.minutes', { count: seconds / MINUTE })
    : t('resource.seconds', { count: seconds });

interface Closes {
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}

/** Adds an API, or changes one. */
export function ResourceDialog({
  resource,
  machines,
  onNotice,
  onClose,
}: Closes & {
  /** The existing one to change; absent for a new one. */
  readonly resource?: Resource;
  /** The machines, of which one may introspect tokens of the API. */
  readonly machines: readonly Machine[];
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('name', 'origin', 'ttlSeconds', 'machineId', 'applicationTokens');
  const isNew = resource === undefined;
  const own = resource?.ttlSeconds ?? LIFE_IN_SECONDS;
  const lives = [...new Set([...LIVES_IN_SECONDS, own])].toSorted((a, b) => a - b);
  return (
    <Confirm
      title={isNew ? t('resource.newTitle') : t('resource.editTitle', { name: resource.name })}
      effect={t(isNew ? 'resource.addLead' : 'resource.saveLead')}
      action={t(isNew ? 'resource.add' : 'resource.save')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async ({ name = '', origin = '', ttlSeconds, machineId, applicationTokens }, signal) => {
        const wanted = {
          ...(isNew ? {} : { resourceId: resource.id }),
          name: name.trim(),
          origin: origin.trim(),
          ttlSeconds: Number(ttlSeconds),
          machineId: machineId === '' ? null : Number(machineId),
          applicationTokens: applicationTokens === 'jwt' ? ('jwt' as const) : ('opaque' as const),
        };
        const { data } = await withReauth(() => gatehouse.api.resource.save.mutate(wanted, { signal }));
        await queries.invalidateQueries({ queryKey: RESOURCES_KEY });
        onNotice(t(isNew ? 'resource.added' : 'resource.saved', { name: data.name }));
        onClose();
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('resource.name')}
        hint={t('resource.nameHint')}
        defaultValue={resource?.name ?? ''}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        required
      />
      <TextField
        name="origin"
        label={t('resource.origin')}
        hint={t('resource.originHint')}
        defaultValue={resource?.origin ?? ''}
        maxLength={MAX_ORIGIN_LENGTH}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <SelectField
        name="ttlSeconds"
        label={t('resource.ttl')}
        hint={t('resource.ttlHint')}
        choices={lives.map((seconds) => ({
          value: String(seconds),
          label: lifeText(seconds),
        }))}
        defaultValue={String(own)}
      />
      <SelectField
        name="machineId"
        label={t('resource.machine')}
        choices={[
          { value: '', label: t('resource.machineNone') },
          ...machines.map(({ id, name }) => ({
            value: String(id),
            label: name,
            about: t('resource.machineHint'),
          })),
        ]}
        defaultValue={
          machines.some(({ id }) => id === resource?.machineId) ? String(resource?.machineId) : ''
        }
      />
      <SelectField
        name="applicationTokens"
        label={t('resource.applicationTokens')}
        choices={[
          { value: 'opaque', label: t('resource.opaque'), about: t('resource.opaqueHint') },
          { value: 'jwt', label: t('resource.jwt'), about: t('resource.jwtHint') },
        ]}
        defaultValue={resource?.applicationTokens ?? 'opaque'}
      />
    </Confirm>
  );
}

/** Removes an API. */
export function RemoveResourceDialog({
  resource: { id: resourceId, name, origin },
  onNotice,
  onClose,
}: Closes & { readonly resource: Resource }): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  const once = useOnce();
  return (
    <Confirm
      title={t('resource.removeTitle', { name })}
      effect={t('resource.removeEffect', { origin })}
      action={t('resource.removeSubmit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await withReauth(() => gatehouse.api.resource.remove.mutate({ resourceId }, { signal }));
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await queries.invalidateQueries({ queryKey: RESOURCES_KEY });
        onNotice(t('resource.removed', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
