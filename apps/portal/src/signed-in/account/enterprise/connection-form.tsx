import { isGatehouseError } from '@gatehouse/client-sdk';
import type { MutationState } from '@gatehouse/ui/call/mutation-state';
import { useMutationState } from '@gatehouse/ui/failure/use-mutation-state';
import { Form, type FormFields } from '@gatehouse/ui/form/form';
import { SelectField } from '@gatehouse/ui/form/select-field';
import { TextArea } from '@gatehouse/ui/form/text-area';
import { TextField } from '@gatehouse/ui/form/text-field';
import { Button } from '@gatehouse/ui/parts/button';
import { withReauth } from '@gatehouse/ui/session/with-reauth';
import { useQueryClient } from '@tanstack/react-query';
import { type ReactElement, type ReactNode, useState } from 'react';
import { usePlace } from '../account-place.js';
import { metadataOf } from './metadata-of.js';
import { type Connection, type Kind, type Provider, providerInSentence, useSsoKey } from './sso-data.js';
import { t } from './words.js';

const MAX_NAME_LENGTH = 80;

/** What the issuers of a product look like. */
const ISSUERS: Readonly<Record<Provider, string>> = {
  entra: 'https://login.microsoftonline.com/TENANT-ID/v2.0',
  okta: 'https://example.okta.com',
  google: 'https://accounts.google.com',
  keycloak: 'https://keycloak.example.com/realms/example',
  other: 'https://login.example.com',
};

/** How the address of a product's metadata looks. */
const METADATA: Readonly<Record<Provider, string>> = {
  entra:
    'https://login.microsoftonline.com/TENANT-ID/federationmetadata/2007-06/federationmetadata.xml?appid=…',
  okta: 'https://example.okta.com/app/…/sso/saml/metadata',
  google: 'https://login.example.com/metadata.xml',
  keycloak: 'https://keycloak.example.com/realms/example/protocol/saml/descriptor',
  other: 'https://login.example.com/metadata.xml',
};

/** How the metadata of an identity provider is given. */
type Source = 'same' | 'url' | 'xml' | 'fields';

/** The settings of a connection, existing or new. */
export function ConnectionForm({
  kind,
  provider,
  connection,
  nextKey,
  onTaken,
  onSaved,
}: {
  readonly kind: Kind;
  readonly provider: Provider;
  /** Absent for a new one. */
  readonly connection?: Connection;
  /** The key of a new one, which the identity provider already knows. */
  readonly nextKey?: string;
  /** Called if another connection has taken that key meanwhile. */
  readonly onTaken?: () => Promise<void>;
  readonly onSaved: (saved: Connection) => Promise<void> | void;
}): ReactElement {
  const { api } = usePlace();
  const queries = useQueryClient();
  const queryKey = useSsoKey();
  const mutation = useMutationState(
    'name',
    'issuer',
    'clientId',
    'clientSecret',
    'metadataUrl',
    'metadataXml',
    'certificate',
  );
  const [chosen, setChosen] = useState<Source>();
  const source = chosen ?? firstSource(provider, connection);
  const named = providerInSentence(provider);
  return (
    <Form
      mutation={mutation}
      onSend={async (fields, signal) => {
        const name = (fields['name'] ?? '').trim();
        const key = nextKey === undefined ? {} : { key: nextKey };
        const base = { ...(connection === undefined ? key : { connectionId: connection.id }), name };
        const saved = await explaining(mutation, kind, source, async () => {
          try {
            return await withReauth(() =>
              kind === 'oidc'
                ? api.sso.saveOidc.mutate({ ...base, ...oidcIn(fields) }, { signal })
                : api.sso.saveSaml.mutate({ ...base, ...samlIn(fields, source) }, { signal }),
            );
          } catch (error) {
            const isTaken =
              isGatehouseError(error, 'invalid_input') &&
              error.data.issues?.some((issue) => issue.path === 'key') === true;
            if (!isTaken) throw error;
            await onTaken?.();
            mutation.fail({ message: t('ssoNew.taken'), issues: [], mayRetry: true });
            return undefined;
          }
        });
        if (saved === undefined) return;
        await queries.invalidateQueries({ queryKey });
        await onSaved(saved.data);
      }}
    >
      <TextField
        name="name"
        label={t('form.name')}
        hint={t('form.nameHint')}
        defaultValue={connection?.name ?? ''}
        maxLength={MAX_NAME_LENGTH}
        autoComplete="off"
        required
      />
      <Part isAsked={kind === 'oidc'}>
        <OidcFields provider={provider} connection={connection} />
      </Part>
      <Part isAsked={kind === 'saml'}>
        <SelectField
          name="source"
          label={t('form.source', { provider: named })}
          choices={[
            ...(connection === undefined ? [] : [{ value: 'same', label: t('form.sourceSame') }]),
            { value: 'url', label: t('form.sourceUrl') },
            { value: 'xml', label: t('form.sourceXml') },
            { value: 'fields', label: t('form.sourceFields') },
          ]}
          value={source}
          onChange={(value) => setChosen(sourceOf(value))}
        />
        <SamlFields source={source} provider={provider} connection={connection} />
      </Part>
      <div>
        <Button type="submit" kind="primary" isBusy={mutation.isBusy}>
          {t(connection === undefined ? 'form.create' : 'form.save')}
        </Button>
      </div>
    </Form>
  );
}

/** Fields that are shown or hidden. What was typed in them stays, but is sent only while they are shown. */
function Part({
  isAsked,
  children,
}: {
  readonly isAsked: boolean;
  readonly children: ReactNode;
}): ReactElement {
  return (
    <fieldset hidden={!isAsked} disabled={!isAsked} className="flex min-w-0 flex-col gap-5">
      {children}
    </fieldset>
  );
}

/** The form of metadata that is asked for first. */
function firstSource(provider: Provider, connection: Connection | undefined): Source {
  if (connection !== undefined) return 'same';
  // Google Workspace has a file, and no address.
  return provider === 'google' ? 'xml' : 'url';
}

const SOURCES = ['same', 'url', 'xml', 'fields'] as const;

const sourceOf = (value: string): Source => SOURCES.find((each) => each === value) ?? 'url';

function OidcFields({
  provider,
  connection,
}: {
  readonly provider: Provider;
  readonly connection: Connection | undefined;
}): ReactElement {
  const known = connection?.oidc;
  const isPlain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <>
      <TextField
        {...isPlain}
        name="issuer"
        label={t('form.issuer')}
        hint={t('form.issuerHint', { example: ISSUERS[provider] })}
        defaultValue={known?.issuer ?? (provider === 'google' ? ISSUERS.google : '')}
        inputMode="url"
        maxLength={500}
        required
      />
      <TextField
        {...isPlain}
        name="clientId"
        label={t('form.clientId')}
        hint={t(provider === 'entra' ? 'form.clientIdEntra' : 'form.clientIdHint')}
        defaultValue={known?.clientId ?? ''}
        maxLength={300}
        required
      />
      <TextField
        {...isPlain}
        name="clientSecret"
        type="password"
        autoComplete="new-password"
        label={t('form.clientSecret')}
        {...secretHint(provider, known !== undefined)}
        maxLength={1000}
        required={known === undefined}
      />
    </>
  );
}

function secretHint(provider: Provider, isKnown: boolean): { readonly hint?: string } {
  if (isKnown) return { hint: t('form.clientSecretKept') };
  return provider === 'entra' ? { hint: t('form.clientSecretEntra') } : {};
}

function SamlFields({
  source,
  provider,
  connection,
}: {
  readonly source: Source;
  readonly provider: Provider;
  readonly connection: Connection | undefined;
}): ReactElement {
  const isPlain = { autoComplete: 'off', autoCapitalize: 'none', spellCheck: false } as const;
  return (
    <>
      <Part isAsked={source === 'url'}>
        <TextField
          {...isPlain}
          name="metadataUrl"
          label={t('form.metadataUrl')}
          hint={t('form.metadataUrlHint', { example: METADATA[provider] })}
          defaultValue={connection?.saml?.metadataUrl ?? ''}
          inputMode="url"
          maxLength={2000}
          required
        />
      </Part>
      <Part isAsked={source === 'xml'}>
        <TextArea
          name="metadataXml"
          label={t('form.metadataXml')}
          hint={t('form.metadataXmlHint')}
          rows={6}
          defaultValue=""
        />
      </Part>
      <Part isAsked={source === 'fields'}>
        <TextField
          {...isPlain}
          name="entityId"
          label={t('form.entityId')}
          hint={t('form.entityIdHint')}
          defaultValue={connection?.saml?.entityId ?? ''}
          maxLength={1024}
          required
        />
        <TextField
          {...isPlain}
          name="ssoUrl"
          label={t('form.ssoUrl')}
          hint={t('form.ssoUrlHint')}
          inputMode="url"
          maxLength={2000}
          required
        />
        <TextArea
          name="certificate"
          label={t('form.certificate')}
          hint={t('form.certificateHint')}
          rows={6}
          defaultValue=""
        />
      </Part>
    </>
  );
}

const textIn = (fields: FormFields, name: string): string => (fields[name] ?? '').trim();

function oidcIn(fields: FormFields): { issuer: string; clientId: string; clientSecret?: string } {
  const clientSecret = textIn(fields, 'clientSecret');
  return {
    issuer: textIn(fields, 'issuer'),
    clientId: textIn(fields, 'clientId'),
    ...(clientSecret === '' ? {} : { clientSecret }),
  };
}

function samlIn(fields: FormFields, source: Source): { metadataUrl?: string; metadataXml?: string } {
  if (source === 'same') return {};
  if (source === 'url') return { metadataUrl: textIn(fields, 'metadataUrl') };
  if (source === 'xml') return { metadataXml: textIn(fields, 'metadataXml') };
  const [entityId, ssoUrl, certificate] = ['entityId', 'ssoUrl', 'certificate'].map((name) =>
    textIn(fields, name),
  );
  return { metadataXml: metadataOf({ entityId, ssoUrl, certificate }) };
}

/** The service's reasons for refusing metadata, with our words for them. */
const OF_METADATA = [
  [/does not describe one|not the metadata|does not name/, 'form.notMetadata'],
  [/sign in at, for the binding/, 'form.noSignIn'],
  [/no signing key/, 'form.noKey'],
] as const;

/** Runs the call. If the service refuses a field, says why at the field and returns undefined. */
async function explaining<Result>(
  mutation: MutationState,
  kind: Kind,
  source: Source,
  work: () => Promise<Result>,
): Promise<Result | undefined> {
  try {
    return await work();
  } catch (error) {
    const path = kind === 'oidc' ? 'issuer' : fieldOf(source);
    if (isGatehouseError(error, 'url_not_allowed')) {
      const message = t(kind === 'oidc' ? 'form.issuerRefused' : 'form.addressRefused');
      mutation.fail({ message: '', issues: [{ path, message }], mayRetry: false });
      return undefined;
    }
    const said = isGatehouseError(error, 'invalid_input')
      ? error.data.issues?.find((issue) => issue.path.startsWith('metadata'))?.message
      : undefined;
    if (said === undefined || said === 'is missing') throw error;
    const id = OF_METADATA.find(([pattern]) => pattern.test(said))?.[1] ?? unreadable(source);
    mutation.fail({ message: '', issues: [{ path, message: t(id) }], mayRetry: false });
    return undefined;
  }
}

const unreadable = (source: Source) =>
  source === 'url' ? 'form.urlUnreadable' : source === 'xml' ? 'form.xmlUnreadable' : 'form.fieldsUnreadable';

const fieldOf = (source: Source): string =>
  source === 'url' ? 'metadataUrl' : source === 'xml' ? 'metadataXml' : 'certificate';
