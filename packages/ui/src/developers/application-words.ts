import type { StatusTone } from '../parts/icons.js';
import type { Application } from './application-rules.js';
import type { Scope } from './programs.js';
import { t } from './words.js';

type ApplicationType = Application['type'];

/** The names of the types, and their purposes. */
const TYPES = {
  web: { label: 'application.web', about: 'application.aboutWeb' },
  spa: { label: 'application.spa', about: 'application.aboutSpa' },
  native: { label: 'application.native', about: 'application.aboutNative' },
  device: { label: 'application.device', about: 'application.aboutDevice' },
  machine: { label: 'application.machine', about: 'application.aboutMachine' },
} as const satisfies Record<ApplicationType, { label: string; about: string }>;

export const typeName = (type: ApplicationType): string => t(TYPES[type].label);

export const typeChoices = () =>
  Object.entries(TYPES).map(([value, { label, about }]) => ({ value, label: t(label), about: t(about) }));

/** The type that a field names. */
export const typeOf = (value: string | undefined): ApplicationType =>
  value !== undefined && isType(value) ? value : 'web';

const isType = (value: string): value is ApplicationType => Object.hasOwn(TYPES, value);

/** Whether browsers are sent back to applications of a type. */
export const isRedirected = (type: ApplicationType): boolean => type !== 'machine' && type !== 'device';

/** How applications name members. */
const SUBJECTS = {
  public: { label: 'application.subjectsPublic', about: 'application.subjectsPublicAbout' },
  pairwise: { label: 'application.subjectsPairwise', about: 'application.subjectsPairwiseAbout' },
} as const satisfies Record<Application['subjectType'], { label: string; about: string }>;

export const subjectName = (subjectType: Application['subjectType']): string =>
  t(SUBJECTS[subjectType].label);

/** The choices, for a new application or with the effect of a change on an existing one. */
export const subjectChoices = ({ isNew }: { readonly isNew: boolean }) =>
  Object.entries(SUBJECTS).map(([value, { label, about }]) => ({
    value,
    label: t(label),
    about: isNew ? t(about) : `${t(about)} ${t('application.subjectsChange')}`,
  }));

/** Whether applications of a type can keep a secret. */
export const keepsSecret = (type: ApplicationType): boolean => type === 'web' || type === 'machine';

/** The data about people that an application gets, and the sets of permissions. */
export const ownScopes = (): readonly Scope[] => [
  { name: 'openid', about: t('appScope.openid') },
  { name: 'profile', about: t('appScope.profile') },
  { name: 'email', about: t('appScope.email') },
  { name: 'accounts', about: t('appScope.accounts') },
  { name: 'account', about: t('appScope.account') },
  { name: 'offline_access', about: t('appScope.offline') },
  { name: 'read', about: t('appScope.read') },
  { name: 'manage', about: t('appScope.manage') },
];

/** The state of an application, in a word and a sentence. */
export function applicationStatus({ active, blocked }: Pick<Application, 'active' | 'blocked'>): {
  readonly tone: StatusTone;
  readonly title: string;
  readonly lead: string;
} {
  if (blocked) return { tone: 'error', title: t('application.blocked'), lead: t('application.blockedLead') };
  if (!active)
    return { tone: 'pending', title: t('application.inactive'), lead: t('application.inactiveLead') };
  return { tone: 'ok', title: t('application.active'), lead: t('application.activeLead') };
}
