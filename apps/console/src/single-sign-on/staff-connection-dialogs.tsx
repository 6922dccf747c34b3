import { type AdminOutputs, isGatehouseError } from '@gatehouse/client-sdk/admin';
import { useMutationState, useOnce } from '@gatehouse/ui/failure/use-mutation-state';
import { Confirm } from '@gatehouse/ui/form/confirm';
import type { FormFields } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { TextArea } from '@gatehouse/ui/form/text-area';
import { TextField } from '@gatehouse/ui/form/text-field';
import { CopyButton } from '@gatehouse/ui/parts/copy-button';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, useState } from 'react';
import { gatehouse } from '../client.js';
import { t } from './words.js';

type Staff = AdminOutputs['staffSso']['list']['data'];

export type StaffConnection = Staff['connections'][number];

type Next = NonNullable<Staff['next']>;

type Kind = StaffConnection['kind'];

/** The cache key of the connections by which staff sign in. */
export const STAFF_SSO_KEY = ['single-sign-on', 'staff'] as const;

const MAX_NAME_LENGTH = 80;

interface Closes {
  readonly onNotice: (notice: string) => void;
  readonly onClose: () => void;
}

const textIn = (fields: FormFields, name: string): string => (fields[name] ?? '').trim();

/** What was typed in a field; undefined where it was left empty. */
function given(fields: FormFields, name: string): string | undefined {
  const text = textIn(fields, name);
  return text === '' ? undefined : text;
}

const oidcIn = (fields: FormFields) => ({
  issuer: given(fields, 'issuer'),
  clientId: given(fields, 'clientId'),
  clientSecret: given(fields, 'clientSecret'),
});

const samlIn = (fields: FormFields) => ({
  metadataUrl: given(fields, 'metadataUrl'),
  metadataXml: given(fields, 'metadataXml'),
});

const domainsIn = (fields: FormFields): string[] =>
  textIn(fields, 'domains')
    .split(/[\s,;]+/)
    .filter((domain) => domain !== '');

/** Adds a connection, or changes one. Fields of an existing one that are left empty do not change. */
export function SaveDialog({
  connection,
  next,
  onNotice,
  onClose,
}: Closes & {
  /** Absent for a new one. */
  readonly connection?: StaffConnection;
  /** The values of a new connection to enter at the identity provider. */
  readonly next?: Next;
}): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState(
    'name',
    'domains',
    'issuer',
    'clientId',
    'clientSecret',
    'metadataUrl',
    'metadataXml',
  );
  const [chosen, setChosen] = useState<Kind>('oidc');
  const kind = connection?.kind ?? chosen;
  const isNew = connection === undefined;
  const values = valuesOf(kind, connection, next);

  async function save(fields: FormFields, signal: AbortSignal): Promise<string> {
    const own = {
      ...(isNew ? {} : { connectionId: connection.id }),
      ...(next === undefined ? {} : { key: next.key }),
      name: textIn(fields, 'name'),
      domains: domainsIn(fields),
    };
    const { staffSso } = gatehouse.api;
    const { data } = await withReauth(() =>
      kind === 'oidc'
        ? staffSso.saveOidc.mutate({ ...own, ...oidcIn(fields) }, { signal })
        : staffSso.saveSaml.mutate({ ...own, ...samlIn(fields) }, { signal }),
    );
    return data.name;
  }

  return (
    <Confirm
      title={isNew ? t('staffSso.add') : t('staffSso.editTitle', { name: connection.name })}
      effect={t('staffSso.saveLead')}
      action={t('staffSso.save')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (fields, signal) => {
        const name = await save(fields, signal);
        await queries.invalidateQueries({ queryKey: STAFF_SSO_KEY });
        onNotice(t('staffSso.saved', { name }));
        onClose();
      }}
      onClose={onClose}
    >
      {isNew ? (
        <SelectField
          name="kind"
          label={t('sso.kind')}
          choices={[
            { value: 'oidc', label: 'OpenID Connect' },
            { value: 'saml', label: 'SAML 2.0' },
          ]}
          value={kind}
          onChange={(value) => setChosen(value === 'saml' ? 'saml' : 'oidc')}
        />
      ) : null}
      {values.map(({ label, copy, text }) => (
        <div key={label} className="flex flex-col items-start gap-1.5">
          <p className="font-semibold">{label}</p>
          <p className="w-full bg-well p-3 font-mono wrap-anywhere select-all" translate="no">
            {text}
          </p>
          <CopyButton text={text} label={copy} />
        </div>
      ))}
      <TextField
        name="name"
        label={t('staffSso.name')}
        hint={t('staffSso.nameHint')}
        defaultValue={connection?.name ?? ''}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        required
      />
      <TextArea
        name="domains"
        label={t('sso.domains')}
        hint={t('staffSso.domainsHint')}
        rows={2}
        defaultValue={connection?.domains.join('\n') ?? ''}
      />
      {kind === 'oidc' ? <OidcFields connection={connection} /> : <SamlFields connection={connection} />}
    </Confirm>
  );
}

/** The values to enter at the identity provider, with their labels. */
function valuesOf(kind: Kind, connection: StaffConnection | undefined, next: Next | undefined) {
  const oidc = connection?.oidc;
  const saml = connection?.saml;
  const known =
    kind === 'oidc'
      ? ([
          ['staffSso.redirect', 'staffSso.copyRedirect', oidc?.redirectUri ?? next?.redirectUri],
          [
            'staffSso.backchannel',
            'staffSso.copyBackchannel',
            oidc?.backchannelLogoutUri ?? next?.backchannelLogoutUri,
          ],
        ] as const)
      : ([
          ['staffSso.acs', 'staffSso.copyAcs', saml?.acsUrl ?? next?.acsUrl],
          ['staffSso.entityId', 'staffSso.copyEntityId', saml?.serviceEntityId ?? next?.serviceEntityId],
          ['staffSso.logout', 'staffSso.copyLogout', saml?.logoutUrl ?? next?.logoutUrl],
        ] as const);
  return known.map(([label, copy, text = '']) => ({ label: t(label), copy: t(copy), text }));
}

const PLAIN = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;

function OidcFields({ connection }: { readonly connection: StaffConnection | undefined }): ReactElement {
  const known = connection?.oidc;
  return (
    <>
      <TextField
        {...PLAIN}
        name="issuer"
        label={t('staffSso.issuer')}
        hint={t('staffSso.issuerHint')}
        defaultValue={known?.issuer ?? ''}
        inputMode="url"
        maxLength={500}
        required
      />
      <TextField
        {...PLAIN}
        name="clientId"
        label={t('staffSso.clientId')}
        defaultValue={known?.clientId ?? ''}
        maxLength={300}
        required
      />
      <TextField
        {...PLAIN}
        name="clientSecret"
        type="password"
        autoComplete="new-password"
        label={t('staffSso.clientSecret')}
        {...(known ? { hint: t('staffSso.clientSecretKept') } : {})}
        maxLength={1000}
        required={!known}
      />
    </>
  );
}

function SamlFields({ connection }: { readonly connection: StaffConnection | undefined }): ReactElement {
  const known = connection?.saml;
  return (
    <>
      <TextField
        {...PLAIN}
        name="metadataUrl"
        label={t('staffSso.metadataUrl')}
        hint={t('staffSso.metadataUrlHint')}
        defaultValue={known?.metadataUrl ?? ''}
        inputMode="url"
        maxLength={2000}
      />
      <TextArea
        name="metadataXml"
        label={t('staffSso.metadataXml')}
        hint={t(known ? 'staffSso.metadataXmlKept' : 'staffSso.metadataXmlHint')}
        rows={4}
        defaultValue=""
      />
    </>
  );
}

interface OfOne extends Closes {
  readonly connection: StaffConnection;
}

export function ActivateDialog({
  connection: { id: connectionId, name, domains },
  onNotice,
  onClose,
}: OfOne): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('staffSso.activateTitle', { name })}
      effect={t('staffSso.activateEffect', { domains: domains.join(', ') })}
      action={t('staffSso.activate')}
      isGrave={false}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await withReauth(() => gatehouse.api.staffSso.activate.mutate({ connectionId }, { signal }));
        await queries.invalidateQueries({ queryKey: STAFF_SSO_KEY });
        onNotice(t('staffSso.activated', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

export function DeactivateDialog({
  connection: { id: connectionId, name },
  onNotice,
  onClose,
}: OfOne): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState();
  return (
    <Confirm
      title={t('staffSso.deactivateTitle', { name })}
      effect={t('staffSso.deactivateEffect')}
      action={t('staffSso.deactivate')}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await withReauth(() =>
          gatehouse.api.staffSso.activate.mutate({ connectionId, active: false }, { signal }),
        );
        await queries.invalidateQueries({ queryKey: STAFF_SSO_KEY });
        onNotice(t('staffSso.deactivated', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}

export function RemoveDialog({
  connection: { id: connectionId, name },
  onNotice,
  onClose,
}: OfOne): ReactElement {
  const queries = useQueryClient();
  const mutation = useMutationState('typed');
  const once = useOnce();
  return (
    <Confirm
      title={t('staffSso.removeTitle', { name })}
      effect={t('staffSso.removeEffect')}
      action={t('staffSso.removeSubmit')}
      typed={{ label: t('staffSso.removeTyped'), text: name }}
      mutation={mutation}
      onConfirm={async (_fields, signal) => {
        await once(
          async () => {
            await withReauth(() => gatehouse.api.staffSso.remove.mutate({ connectionId }, { signal }));
          },
          (refusal) => isGatehouseError(refusal, 'not_found'),
        );
        await queries.invalidateQueries({ queryKey: STAFF_SSO_KEY });
        onNotice(t('staffSso.removed', { name }));
        onClose();
      }}
      onClose={onClose}
    />
  );
}
