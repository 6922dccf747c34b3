import { isGatehouseError } from '@gatehouse/client-sdk';
import { useQueryClient } from '@tanstack/react-query';
import type { ReactElement } from 'react';
import { useMutationState, useOnce } from '../failure/use-mutation-state.js';
import { checkedIn } from '../form/check-group.js';
import { Confirm } from '../form/confirm.js';
import { SelectField } from '../form/select-field.js';
import { TextField } from '../form/text-field.js';
import { Banner } from '../parts/banner.js';
import { QueryView } from '../screen/asked.js';
import { withReauth } from '../session/with-reauth.js';
import { useEventTypes } from './endpoint-data.js';
import { type Endpoint, type Ping, pingText } from './endpoint-status.js';
import { EventTypesField } from './event-types-field.js';
import { OverlapField } from './overlap-field.js';
import { usePrograms } from './programs.js';
import { makeSecret, ShownOnce } from './shown-once.js';
import { t } from './words.js';

const MAX_URL_LENGTH = 1_000;

const MAX_DESCRIPTION_LENGTH = 200;

/** A secret that was just made, and the endpoint's answer, if it was pinged. */
export interface MadeSecret {
  readonly secret: string;
  readonly ping: Ping | null;
}

/** The result of saving an endpoint: a new one has a secret. */
type Saved = Partial<Pick<MadeSecret, 'secret'>> & Pick<MadeSecret, 'ping'>;

/** Adds an endpoint, or changes one. A new address gets a test event. */
export function EndpointDialog({
  endpoint,
  onSaved,
  onClose,
}: {
  /** The existing one to change; absent for a new one. */
  readonly endpoint?: Endpoint;
  readonly onSaved: (saved: Saved) => void;
  readonly onClose: () => void;
}): ReactElement {
  const { api, key } = usePrograms();
  const queries = useQueryClient();
  const types = useEventTypes();
  const mutation = useMutationState('url', 'types', 'description');
  const isNew = endpoint === undefined;
  return (
    <Confirm
      title={t(isNew ? 'endpoint.newTitle' : 'endpoint.editTitle')}
      effect={t('endpoint.saveLead')}
      action={t(isNew ? 'endpoint.create' : 'endpoint.save')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const chosen = checkedIn(fields, 'types');
        if (chosen.length === 0) {
          const issues = [{ path: 'types', message: t('types.missing') }];
          mutation.fail({ message: '', issues, mayRetry: false });
          return;
        }
        const wanted = {
          ...(isNew ? {} : { endpointId: endpoint.id }),
          url: (fields['url'] ?? '').trim(),
          types: chosen,
          description: (fields['description'] ?? '').trim(),
        };
        const save = () => withReauth(() => api.eventEndpoint.save.mutate(wanted, { signal }));
        const saved = await (isNew ? makeSecret(mutation, t('endpoint.unsure'), save) : save());
        if (saved !== undefined) {
          onClose();
          onSaved(saved);
        }
        await queries.invalidateQueries({ queryKey: [...key, 'endpoints'] });
      }}
      onClose={onClose}
    >
      <TextField
        name="url"
        label={t('endpoint.url')}
        hint={t('endpoint.urlHint')}
        defaultValue={endpoint?.url ?? ''}
        placeholder="https://"
        maxLength={MAX_URL_LENGTH}
        inputMode="url"
        autoComplete="off"
        autoCapitalize="none"
        spellCheck={false}
        required
      />
      <TextField
        name="description"
        label={t('endpoint.description')}
        defaultValue={endpoint?.description ?? ''}
        maxLength={MAX_DESCRIPTION_LENGTH}
        autoComplete="off"
      />
      <QueryView answer={types} isPart>
        {(all) => <EventTypesField all={all} chosen={endpoint?.types ?? []} />}
      </QueryView>
    </Confirm>
  );
}

const EXAMPLE = `import { verifyEvent } from
  '@gatehouse/client-sdk/events';
const event = await verifyEvent(
  { headers, body }, { secret });`;

/** Shows the secret of an endpoint, and how deliveries are verified with it. */
export function SecretDialog({
  made: { secret, ping },
  onClose,
}: {
  readonly made: MadeSecret;
  readonly onClose: () => void;
}): ReactElement {
  const { isPartner } = usePrograms();
  const answer = ping === null ? undefined : pingText(ping);
  return (
    <ShownOnce
      title={t('endpoint.secretTitle')}
      lead={t(isPartner ? 'endpoint.secretLeadOfPartner' : 'endpoint.secretLead')}
      secret={secret}
      onClose={onClose}
    >
      <div className="flex flex-col gap-3">
        <p>{t(isPartner ? 'endpoint.verifyOfPartner' : 'endpoint.verify')}</p>
        <pre className="bg-well p-3 font-mono text-note whitespace-pre-wrap wrap-anywhere" translate="no">
          {EXAMPLE}
        </pre>
      </div>
      {answer === undefined ? null : (
        <Banner tone={answer.tone}>
          <p className="font-semibold">{t('endpoint.tested')}</p>
          <p>{answer.words}</p>
        </Banner>
      )}
    </ShownOnce>
  );
}

interface AboutEndpoint {
  readonly endpoint: Endpoint;
  readonly onClose: () => void;
}

/** Gives an endpoint a new secret. */
export function RotateSecretDialog({
  endpoint: { id: endpointId },
  onMade,
  onClose,
}: AboutEndpoint & { readonly onMade: (made: MadeSecret) => void }): ReactElement {
  const { api, key, isPartner } = usePrograms();
  const queries = useQueryClient();
  const mutation = useMutationState('overlapHours');
  const unsure = isPartner ? 'endpoint.rotateUnsureOfPartner' : 'endpoint.rotateUnsure';
  return (
    <Confirm
      title={t('endpoint.rotateTitle')}
      effect={t(isPartner ? 'endpoint.rotateLeadOfPartner' : 'endpoint.rotateLead')}
      action={t('endpoint.rotateSubmit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const wanted = { endpointId, overlapHours: Number(fields['overlapHours']) };
        const made = await makeSecret(mutation, t(unsure), () =>
          withReauth(() => api.eventEndpoint.rotateSecret.mutate(wanted, { signal })),
        );
        if (made !== undefined) {
          onClose();
          onMade({ secret: made.secret, ping: null });
        }
        await queries.invalidateQueries({ queryKey: [...key, 'endpoints'] });
      }}
      onClose={onClose}
    >
      <OverlapField label={t('endpoint.overlap')} />
    </Confirm>
  );
}

/** Sends events to a paused or disabled endpoint again. */
export function ResumeDialog({
  endpoint: { id: endpointId },
  onDone,
  onClose,
}: AboutEndpoint & { readonly onDone: () => void }): ReactElement {
  const { api, key } = usePrograms();
  const queries = useQueryClient();
  const mutation = useMutationState('from');
  return (
    <Confirm
      title={t('resume.title')}
      effect={t('resume.lead')}
      action={t('resume.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const from = fields['from'] === 'now' ? 'now' : 'lastDelivered';
        await withReauth(async () => {
          await api.eventEndpoint.resume.mutate({ endpointId, from }, { signal });
          await api.eventEndpoint.save.mutate({ endpointId, active: true }, { signal });
        });
        await queries.invalidateQueries({ queryKey: key });
        onDone();
        onClose();
      }}
      onClose={onClose}
    >
      <SelectField
        name="from"
        label={t('resume.from')}
        choices={[
          { value: 'lastDelivered', label: t('resume.lastDelivered'), about: t('resume.lastDeliveredHint') },
          { value: 'now', label: t('resume.now'), about: t('resume.nowHint') },
        ]}
      />
    </Confirm>
  );
}

/** Pauses an endpoint. */
export function PauseDialog({
  endpoint: { id: endpointId },
  onDone,
  onClose,
}: AboutEndpoint & { readonly onDone: () => void }): ReactElement {
  const { api, key } = usePrograms();
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('pause.title')}
      effect={t('pause.effect')}
      action={t('pause.submit')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await withReauth(() => api.eventEndpoint.save.mutate({ endpointId, active: false }, { signal }));
        await queries.invalidateQueries({ queryKey: [...key, 'endpoints'] });
        onDone();
        onClose();
      }}
      onClose={onClose}
    />
  );
}

/** Removes an endpoint. */
export function RemoveEndpointDialog({
  endpoint: { id: endpointId, url },
  onDone,
  onClose,
}: AboutEndpoint & { readonly onDone: () => Promise<void> }): ReactElement {
  const { api, key } = usePrograms();
  const queries = useQueryClient();
  const mutation = useMutationState();
  const once = useOnce();
  return (
    <Confirm
      title={t('endpoint.removeTitle')}
      effect={
        <>
          <p>
            <bdi className="font-semibold">{url}</bdi>
          </p>
          <p className="pt-2">{t('endpoint.removeEffect')}</p>
        </>
      }
      action={t('endpoint.removeSubmit')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await withReauth(() => api.eventEndpoint.remove.mutate({ endpointId }, { signal }));
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await onDone();
        await queries.invalidateQueries({ queryKey: [...key, 'endpoints'] });
      }}
      onClose={onClose}
    />
  );
}
