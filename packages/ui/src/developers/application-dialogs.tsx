import { isGatehouseError } from '@gatehouse/client-sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMutationState, useOnce } from '../failure/use-mutation-state.js';
import { Confirm } from '../form/confirm.js';
import { withReauth } from '../session/with-reauth.js';
import { type Application, type ApplicationSecret, useApplications } from './application-rules.js';
import { makeSecret, ShownOnce } from './shown-once.js';
import { t } from './words.js';

interface AboutApplication {
  readonly application: Application;
  readonly onClose: () => void;
}

interface Tells {
  readonly onNotice: (notice: string) => void;
}

/** Deactivates an application, or activates it again. */
export function ActivityDialog({
  application: { id: applicationId, name, active },
  onNotice,
  onClose,
}: AboutApplication & Tells): ReactElement {
  const { api, key } = useApplications();
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t(active ? 'application.stopTitle' : 'application.startTitle', { name })}
      effect={t(active ? 'application.stopEffect' : 'application.startEffect')}
      action={t(active ? 'application.stopSubmit' : 'application.startSubmit')}
      isGrave={active}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await withReauth(() => api.save.mutate({ applicationId, active: !active }, { signal }));
        await queries.invalidateQueries({ queryKey: [...key, 'applications'] });
        onNotice(t(active ? 'application.stopped' : 'application.started', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Removes an application. */
export function RemoveApplicationDialog({
  application: { id: applicationId, name },
  onDone,
  onClose,
}: AboutApplication & { readonly onDone: (notice: string) => Promise<void> }): ReactElement {
  const { api, key } = useApplications();
  const queries = useQueryClient();
  const mutation = useMutationState('typed');
  const once = useOnce();
  return (
    <Confirm
      title={t('application.removeTitle', { name })}
      effect={t('application.removeEffect')}
      action={t('application.removeSubmit')}
      typed={{ label: t('application.typed'), text: name }}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await withReauth(() => api.remove.mutate({ applicationId }, { signal }));
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await onDone(t('application.removed', { name }));
        await queries.invalidateQueries({ queryKey: [...key, 'applications', 'list'] });
      }}
      onClose={onClose}
    />
  );
}

/** Gives an application a secret. */
export function AddSecretDialog({
  application: { id: applicationId, name },
  onMade,
  onClose,
}: AboutApplication & { readonly onMade: (secret: string) => void }): ReactElement {
  const { api, key } = useApplications();
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('appSecret.newTitle', { name })}
      effect={t('appSecret.newLead')}
      action={t('appSecret.create')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        const made = await makeSecret(mutation, t('appSecret.unsure'), () =>
          withReauth(() => api.addSecret.mutate({ applicationId }, { signal })),
        );
        if (made !== undefined) {
          onClose();
          onMade(made.secret);
        }
        await queries.invalidateQueries({ queryKey: [...key, 'applications'] });
      }}
      onClose={onClose}
    />
  );
}

/** Removes a secret of an application. */
export function RemoveSecretDialog({
  application: { id: applicationId },
  secret: { id: secretId, start },
  onNotice,
  onClose,
}: AboutApplication & Tells & { readonly secret: ApplicationSecret }): ReactElement {
  const { api, key } = useApplications();
  const queries = useQueryClient();
  const mutation = useMutationState();
  const once = useOnce();
  return (
    <Confirm
      title={t('appSecret.removeTitle', { start })}
      effect={t('appSecret.removeEffect')}
      action={t('appSecret.removeSubmit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await withReauth(() => api.removeSecret.mutate({ applicationId, secretId }, { signal }));
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await queries.invalidateQueries({ queryKey: [...key, 'applications'] });
        onNotice(t('appSecret.removed', { start }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Shows a new secret, this once. */
export function MadeSecretDialog({
  secret,
  onClose,
}: {
  readonly secret: string;
  readonly onClose: () => void;
}): ReactElement {
  return (
    <ShownOnce
      title={t('appSecret.madeTitle')}
      lead={t('appSecret.madeLead')}
      secret={secret}
      onClose={onClose}
    />
  );
}
