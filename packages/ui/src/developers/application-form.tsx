import { useQuery, useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { useMutationState } from '../failure/use-mutation-state.js';
import { CheckGroup, CheckLine, CheckSet, checkedIn } from '../form/check-group.js';
import { Confirm } from '../form/confirm.js';
import type { FormFields } from '../form/form.js';
import { LinesField, lineNames, linesIn } from '../form/lines-field.js';
import { SelectField } from '../form/select-field.js';
import { TextField } from '../form/text-field.js';
import { QueryView } from '../screen/asked.js';
import { withReauth } from '../session/with-reauth.js';
import { type Application, useApplications } from './application-rules.js';
import {
  isRedirected,
  keepsSecret,
  ownScopes,
  subjectChoices,
  typeChoices,
  typeOf,
} from './application-words.js';
import { t } from './words.js';

const MAX_NAME_LENGTH = 80;

const MAX_URI_LENGTH = 512;

const valuesIn = (text: string | undefined): string[] => linesIn(text).map(({ line }) => line);

/** A URL replaces keys that were given otherwise; without a URL they stay. */
const keysAt = (jwksUri: string | null) => (jwksUri === null ? { jwksUri } : { jwksUri, jwks: null });

/** Registers an application, or changes one. */
export function ApplicationDialog({
  application,
  onSaved,
  onClose,
}: {
  /** The existing one to change; absent for a new one. */
  readonly application?: Application;
  readonly onSaved: (application: Application) => Promise<void>;
  readonly onClose: () => void;
}): ReactElement {
  const { api, key, isDeployment = false, permissions, machines: listMachines } = useApplications();
  const queries = useQueryClient();
  const mutation = useMutationState(
    'name',
    'type',
    ...lineNames('redirectUris'),
    ...lineNames('postLogoutRedirectUris'),
    'backchannelLogoutUri',
    'jwksUri',
    'scopes',
    'subjectType',
    'machineId',
  );
  const [type, setType] = useState(application?.type ?? 'web');
  const [sent, setSent] = useState<FormFields>({});
  const machines = useQuery({
    queryKey: [...key, 'machines', 'choices'],
    queryFn: ({ signal }) => listMachines(signal),
    enabled: type === 'machine',
  });
  const isNew = application === undefined;
  const offered = [...ownScopes(), ...permissions];
  const given = application?.scopes ?? ['openid'];
  /** Scopes that it has and that are no longer offered are kept. */
  const others = given
    .filter((name) => !offered.some((each) => each.name === name))
    .map((name) => ({ name, about: undefined }));
  const sends = isRedirected(type);
  const isTold = sends || type === 'device';
  return (
    <Confirm
      title={isNew ? t('application.newTitle') : t('application.editTitle', { name: application.name })}
      effect={t(isNew ? 'application.newLead' : 'application.editLead')}
      action={t(isNew ? 'application.create' : 'application.save')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        setSent(fields);
        const addressIn = (name: string): string | null => (fields[name] ?? '').trim() || null;
        const wanted = {
          ...(isNew ? { type } : { applicationId: application.id }),
          name: (fields['name'] ?? '').trim(),
          redirectUris: sends ? valuesIn(fields['redirectUris']) : [],
          postLogoutRedirectUris: sends ? valuesIn(fields['postLogoutRedirectUris']) : [],
          backchannelLogoutUri: isTold ? addressIn('backchannelLogoutUri') : null,
          ...(keepsSecret(type) ? keysAt(addressIn('jwksUri')) : { jwksUri: null }),
          scopes: checkedIn(fields, 'scopes'),
          subjectType:
            sends && fields['subjectType'] === 'pairwise' ? ('pairwise' as const) : ('public' as const),
          machineId: type === 'machine' && fields['machineId'] ? Number(fields['machineId']) : null,
          ...(isDeployment
            ? {
                skipConsent: fields['skipConsent'] !== undefined,
                pkceExempt: type === 'web' && fields['pkceExempt'] !== undefined,
              }
            : {}),
        };
        const { data } = await withReauth(() => api.save.mutate(wanted, { signal }));
        await queries.invalidateQueries({ queryKey: [...key, 'applications'] });
        onClose();
        await onSaved(data);
      }}
      onClose={onClose}
    >
      <TextField
        name="name"
        label={t('application.name')}
        hint={t('application.nameHint')}
        defaultValue={application?.name ?? ''}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        required
      />
      {isNew ? (
        <SelectField
          name="type"
          label={t('application.type')}
          choices={typeChoices()}
          value={type}
          onChange={(value) => setType(typeOf(value))}
        />
      ) : null}
      {/* Hidden fields keep what was typed while another type is selected. */}
      <div hidden={!sends}>
        <div className="flex flex-col gap-5">
          <LinesField
            name="redirectUris"
            label={t('application.redirects')}
            hint={t(type === 'native' ? 'application.redirectsNativeHint' : 'application.redirectsHint')}
            rows={3}
            defaultValue={application?.redirectUris ?? []}
            sent={sent['redirectUris']}
          />
          <LinesField
            name="postLogoutRedirectUris"
            label={t('application.logoutRedirects')}
            hint={t('application.logoutRedirectsHint')}
            rows={2}
            defaultValue={application?.postLogoutRedirectUris ?? []}
            sent={sent['postLogoutRedirectUris']}
          />
        </div>
      </div>
      <div hidden={!isTold}>
        <AddressField
          name="backchannelLogoutUri"
          label={t('application.backchannel')}
          hint={t('application.backchannelHint')}
          defaultValue={application?.backchannelLogoutUri ?? ''}
        />
      </div>
      <div hidden={!keepsSecret(type)}>
        <AddressField
          name="jwksUri"
          label={t('application.jwksUri')}
          hint={t('application.jwksUriHint')}
          defaultValue={application?.jwksUri ?? ''}
        />
      </div>
      {type === 'machine' ? (
        <QueryView answer={machines} isPart>
          {(rows) => (
            <SelectField
              name="machineId"
              label={t('application.machineField')}
              hint={t(rows.length === 0 ? 'application.machineNone' : 'application.machineHint')}
              choices={rows.map(({ id, name }) => ({ value: String(id), label: name }))}
              {...(application?.machineId ? { defaultValue: String(application.machineId) } : {})}
            />
          )}
        </QueryView>
      ) : null}
      <CheckGroup
        name="scopes"
        label={t('application.scopes')}
        hint={t('application.scopesHint')}
        choices={[...offered, ...others].map(({ name, about }) => ({
          value: name,
          label: <code className="font-mono">{name}</code>,
          about,
          isChecked: given.includes(name),
        }))}
      />
      <div hidden={!sends}>
        <SelectField
          name="subjectType"
          label={t('application.subjects')}
          choices={subjectChoices({ isNew })}
          defaultValue={application?.subjectType ?? 'public'}
        />
      </div>
      {isDeployment ? (
        <CheckSet name="trust" label={t('application.trust')}>
          {() => (
            <>
              <CheckLine
                label={t('application.skipConsent')}
                about={t('application.skipConsentHint')}
                box={{ name: 'skipConsent', defaultChecked: application?.skipConsent ?? false }}
              />
              {type === 'web' ? (
                <CheckLine
                  label={t('application.pkceExempt')}
                  about={t('application.pkceExemptHint')}
                  box={{ name: 'pkceExempt', defaultChecked: application?.pkceExempt ?? false }}
                />
              ) : null}
            </>
          )}
        </CheckSet>
      ) : null}
    </Confirm>
  );
}

/** A field for an address that the service calls. */
function AddressField(field: {
  readonly name: string;
  readonly label: string;
  readonly hint: string;
  readonly defaultValue: string;
}): ReactElement {
  return (
    <TextField
      {...field}
      maxLength={MAX_URI_LENGTH}
      inputMode="url"
      autoComplete="off"
      autoCapitalize="none"
      spellCheck={false}
    />
  );
}
