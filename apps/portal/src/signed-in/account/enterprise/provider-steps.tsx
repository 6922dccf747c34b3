import { Fragment, type ReactElement, type ReactNode } from 'react';
import { CopiedText } from './copied-text.js';
import type { Connection, Kind, Provider } from './sso-data.js';
import { t } from './words.js';

/** The labels on a product's own screens, in the order in which they are needed. */
const STEPS = {
  entra: {
    oidc: ['ssoSteps.entraOidc1', 'ssoSteps.entraOidc2', 'ssoSteps.entraOidc3', 'ssoSteps.entraOidc4'],
    saml: ['ssoSteps.entraSaml1', 'ssoSteps.entraSaml2', 'ssoSteps.entraSaml3', 'ssoSteps.entraSaml4'],
  },
  okta: {
    oidc: ['ssoSteps.oktaOidc1', 'ssoSteps.oktaOidc2', 'ssoSteps.oktaOidc3'],
    saml: ['ssoSteps.oktaSaml1', 'ssoSteps.oktaSaml2', 'ssoSteps.oktaSaml3', 'ssoSteps.oktaSaml4'],
  },
  google: {
    oidc: ['ssoSteps.googleOidc1', 'ssoSteps.googleOidc2', 'ssoSteps.googleOidc3'],
    saml: ['ssoSteps.googleSaml1', 'ssoSteps.googleSaml2', 'ssoSteps.googleSaml3', 'ssoSteps.googleSaml4'],
  },
  keycloak: {
    oidc: [
      'ssoSteps.keycloakOidc1',
      'ssoSteps.keycloakOidc2',
      'ssoSteps.keycloakOidc3',
      'ssoSteps.keycloakOidc4',
    ],
    saml: [
      'ssoSteps.keycloakSaml1',
      'ssoSteps.keycloakSaml2',
      'ssoSteps.keycloakSaml3',
      'ssoSteps.keycloakSaml4',
    ],
  },
  other: {
    oidc: ['ssoSteps.otherOidc1', 'ssoSteps.otherOidc2', 'ssoSteps.otherOidc3'],
    saml: ['ssoSteps.otherSaml1', 'ssoSteps.otherSaml2', 'ssoSteps.otherSaml3', 'ssoSteps.otherSaml4'],
  },
} as const;

/** A message in which the labels on screens of other products are between `<b>` and `</b>`. */
function named(message: string): ReactNode {
  return message.split(/<\/?b>/).map((part, at) =>
    at % 2 === 1 ? (
      <span key={at} className="font-semibold">
        {part}
      </span>
    ) : (
      <Fragment key={at}>{part}</Fragment>
    ),
  );
}

/** What to do at the identity provider. */
export function ProviderSteps({
  provider,
  kind,
}: {
  readonly provider: Provider;
  readonly kind: Kind;
}): ReactElement {
  return (
    <ol className="flex max-w-[44rem] list-decimal flex-col gap-2 ps-6">
      {STEPS[provider][kind].map((id) => (
        <li key={id} className="ps-1 wrap-anywhere">
          {named(t(id))}
        </li>
      ))}
    </ol>
  );
}

/** The values of a connection to enter at the identity provider. */
export interface PastedValues {
  readonly redirectUri: string;
  readonly backchannelLogoutUri: string;
  readonly serviceEntityId: string;
  readonly acsUrl: string;
  readonly logoutUrl: string;
}

/** The values of an existing connection; those of the other kind are empty. */
export function valuesOf({ oidc, saml }: Connection): PastedValues {
  return {
    redirectUri: oidc?.redirectUri ?? '',
    backchannelLogoutUri: oidc?.backchannelLogoutUri ?? '',
    serviceEntityId: saml?.serviceEntityId ?? '',
    acsUrl: saml?.acsUrl ?? '',
    logoutUrl: saml?.logoutUrl ?? '',
  };
}

/** The products without a field for the logout address. */
const WITHOUT_LOGOUT: Readonly<Record<Kind, readonly Provider[]>> = {
  oidc: ['entra', 'google'],
  saml: ['google'],
};

/** The values to paste at the identity provider. */
export function ValuesToPaste({
  kind,
  provider,
  values,
}: {
  readonly kind: Kind;
  readonly provider: Provider;
  readonly values: PastedValues;
}): ReactElement {
  return kind === 'oidc' ? (
    <div className="flex w-full flex-col gap-5">
      <CopiedText label={t('value.redirect')} copy={t('value.copyRedirect')} text={values.redirectUri} />
      {WITHOUT_LOGOUT.oidc.includes(provider) ? null : (
        <CopiedText
          label={t('value.backchannel')}
          hint={t('value.backchannelHint')}
          copy={t('value.copyBackchannel')}
          text={values.backchannelLogoutUri}
        />
      )}
    </div>
  ) : (
    <div className="flex w-full flex-col gap-5">
      <CopiedText label={t('value.acs')} copy={t('value.copyAcs')} text={values.acsUrl} />
      <CopiedText
        label={t('value.entityId')}
        hint={t('value.entityIdHint')}
        copy={t('value.copyEntityId')}
        text={values.serviceEntityId}
      />
      {WITHOUT_LOGOUT.saml.includes(provider) ? null : (
        <CopiedText
          label={t('value.logout')}
          hint={t('value.logoutHint')}
          copy={t('value.copyLogout')}
          text={values.logoutUrl}
        />
      )}
    </div>
  );
}
