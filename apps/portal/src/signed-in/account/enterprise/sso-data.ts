import type { MainOutputs } from '@gatehouse/client-sdk';
import type { Choice } from '@gatehouse/ui/form/select-field';
import type { StatusTone } from '@gatehouse/ui/parts/icons';
import { aboutRole, type BuiltInRole, roleName } from '@gatehouse/ui/team/role-name';
import { useQuery } from '@tanstack/react-query';
import { usePlace } from '../account-place.js';
import { t } from './words.js';

export type Sso = MainOutputs['sso']['list']['data'];

export type Connection = Sso['connections'][number];

export type Kind = Connection['kind'];

export const useSsoKey = (): readonly unknown[] => [...usePlace().key, 'sso'];

/** The domains and connections of the account. */
export function useSso() {
  const { api } = usePlace();
  return useQuery({
    queryKey: useSsoKey(),
    queryFn: ({ signal }) => api.sso.list.query(undefined, { signal }),
  });
}

/** The domains that the account has verified, as a list in words. */
export function domainsIn({ domains }: Pick<Sso, 'domains'>): string {
  return domains
    .filter(({ state }) => state === 'verified')
    .map(({ domain }) => domain)
    .join(', ');
}

/** The products whose settings are described. */
export const PROVIDERS = ['entra', 'okta', 'google', 'keycloak', 'other'] as const;

export type Provider = (typeof PROVIDERS)[number];

const NAMES = { entra: 'Microsoft Entra ID', okta: 'Okta', google: 'Google Workspace', keycloak: 'Keycloak' };

export function providerName(provider: Provider): string {
  return provider === 'other' ? t('provider.other') : NAMES[provider];
}

/** The product as part of a sentence. */
export function providerInSentence(provider: Provider): string {
  return provider === 'other' ? t('provider.yours') : NAMES[provider];
}

export const isProvider = (value: string): value is Provider => PROVIDERS.some((each) => each === value);

const HOSTS: readonly (readonly [RegExp, Provider])[] = [
  [/^https:\/\/(?:login\.microsoftonline\.com|sts\.windows\.net)\//, 'entra'],
  [/^https?:\/\/(?:[\w-]+\.okta(?:preview|-emea)?\.com|www\.okta\.com)(?:\/|$)/, 'okta'],
  [/^https:\/\/accounts\.google\.com(?:\/|$)/, 'google'],
  [/^https?:\/\/[^/]+(?:\/auth)?\/realms\//, 'keycloak'],
];

/** The product of a connection, by its addresses. */
export function providerOf({ oidc, saml }: Connection): Provider {
  const address = oidc?.issuer ?? saml?.entityId ?? '';
  return HOSTS.find(([pattern]) => pattern.test(address))?.[1] ?? 'other';
}

export const kindName = (kind: Kind): string => (kind === 'oidc' ? 'OpenID Connect' : 'SAML 2.0');

/** The roles that a connection gives, highest first, by their numbers. */
const ROLES = [
  [2, 'Manager/Collaborator'],
  [3, 'Contributor'],
  [4, 'Designer'],
  [5, 'User Member'],
] as const satisfies readonly (readonly [number, BuiltInRole])[];

export function roleChoices(): readonly Choice[] {
  return ROLES.map(([roleType, label]) => ({
    value: String(roleType),
    label: roleName(label),
    about: aboutRole(label),
  }));
}

export function nameOfRole(roleType: number): string {
  return roleChoices().find(({ value }) => value === String(roleType))?.label ?? '';
}

const DAY_MS = 86_400_000;

/** How long before the last certificate expires the service mails owners. */
const SOON_MS = 30 * DAY_MS;

/** When the last certificate of a connection by SAML ends, and whether that is soon; undefined for others. */
export function certificateEnd({ saml }: Connection): { endsAt: string; isSoon: boolean } | undefined {
  const endsAt = saml?.certificatesEndAt.toSorted().at(-1);
  return endsAt === undefined ? undefined : { endsAt, isSoon: Date.parse(endsAt) - Date.now() < SOON_MS };
}

/** Whether people sign in by a connection, and what is missing. */
export function statusOf(
  { active, hasChanges, tested }: Connection,
  sso: Sso,
): { readonly tone: StatusTone; readonly title: string; readonly lead: string } {
  const domains = domainsIn(sso);
  if (active && hasChanges)
    return {
      tone: 'pending',
      title: t('status.changed'),
      lead: t(tested ? 'status.changedTested' : 'status.changedLead'),
    };
  if (active)
    return domains === ''
      ? { tone: 'pending', title: t('status.active'), lead: t('status.activeNoDomain') }
      : { tone: 'ok', title: t('status.active'), lead: t('status.activeLead', { domains }) };
  return tested
    ? { tone: 'pending', title: t('status.tested'), lead: t('status.testedLead') }
    : { tone: 'pending', title: t('status.untested'), lead: t('status.untestedLead') };
}
