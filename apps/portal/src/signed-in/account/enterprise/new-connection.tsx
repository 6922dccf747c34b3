import { SelectField } from '@gatehouse/ui/form/select-field';
import { Card } from '@gatehouse/ui/parts/card';
import { Denied, QueryView } from '@gatehouse/ui/screen/asked';
import { inLanguage, Screen } from '@gatehouse/ui/screen/screen';
import { roleName } from '@gatehouse/ui/team/role-name';
import { useQueryClient } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { type ReactElement, useState } from 'react';
import { keep } from '../../../tab-storage.js';
import { usePlace } from '../account-place.js';
import { BackLink } from './back-link.js';
import { ConnectionForm } from './connection-form.js';
import { ProviderSteps, ValuesToPaste } from './provider-steps.js';
import {
  isProvider,
  type Kind,
  PROVIDERS,
  type Provider,
  providerInSentence,
  providerName,
  type Sso,
  useSso,
  useSsoKey,
} from './sso-data.js';
import { t } from './words.js';

export const NewConnectionScreen = inLanguage(NewConnection);

/** Connects the identity provider of the company, step by step. */
function NewConnection(): ReactElement {
  const { mayDo, roleLabel } = usePlace();
  return mayDo('sso.manage') ? <NextConnection /> : <Denied role={roleName(roleLabel)} />;
}

function NextConnection(): ReactElement {
  const answer = useSso();
  return (
    <QueryView answer={answer} title={t('ssoNew.title')} trail={<BackLink />}>
      {({ data: { next } }) =>
        next === null ? (
          <Screen title={t('ssoNew.title')} tone="error" lead={t('ssoNew.full')} />
        ) : (
          <Steps values={next} />
        )
      }
    </QueryView>
  );
}

function Steps({ values }: { readonly values: NonNullable<Sso['next']> }): ReactElement {
  const { accountId } = usePlace();
  const navigate = useNavigate();
  const [provider, setProvider] = useState<Provider>('entra');
  const [kind, setKind] = useState<Kind>('oidc');
  // As soon as this connection exists, the values of the next one replace these.
  const [own, setOwn] = useState(values);
  const queries = useQueryClient();
  const queryKey = useSsoKey();
  const named = providerInSentence(provider);
  return (
    <Screen title={t('ssoNew.title')} lead={t('ssoNew.lead')}>
      <Card title={t('ssoNew.choose')}>
        <div className="grid gap-5 p-3 rows:grid-cols-2">
          <SelectField
            name="provider"
            label={t('ssoNew.provider')}
            choices={PROVIDERS.map((each) => ({ value: each, label: providerName(each) }))}
            value={provider}
            onChange={(value) => isProvider(value) && setProvider(value)}
          />
          <SelectField
            name="kind"
            label={t('ssoNew.kind')}
            choices={[
              { value: 'oidc', label: t('ssoNew.oidc'), about: t('ssoNew.oidcAbout') },
              { value: 'saml', label: 'SAML 2.0', about: t('ssoNew.samlAbout') },
            ]}
            value={kind}
            onChange={(value) => setKind(value === 'saml' ? 'saml' : 'oidc')}
          />
        </div>
      </Card>
      <Card title={t('ssoNew.register', { provider: named })}>
        <div className="flex flex-col gap-5 p-3">
          <ProviderSteps provider={provider} kind={kind} />
          <ValuesToPaste kind={kind} provider={provider} values={own} />
        </div>
      </Card>
      <Card title={t('ssoNew.enter', { provider: named })}>
        <div className="p-3">
          <ConnectionForm
            kind={kind}
            provider={provider}
            nextKey={own.key}
            onTaken={async () => {
              await queries.invalidateQueries({ queryKey });
              const next = queries.getQueryData<{ readonly data: Sso }>(queryKey)?.data.next ?? undefined;
              if (next !== undefined) setOwn(next);
            }}
            onSaved={async ({ id, name }) => {
              keep('notice', t('ssoNew.saved', { name }));
              await navigate({
                to: '/a/$account/settings/directory/$connection',
                params: { account: String(accountId), connection: String(id) },
                replace: true,
              });
            }}
          />
        </div>
      </Card>
    </Screen>
  );
}
