import { regionalLocale, shownTime } from '@gatehouse/ui/screen/shown-time';
import { aboutScope } from '@gatehouse/ui/team/scope-words';
import { t as ofTeams } from '@gatehouse/ui/team/words';
import { t } from './words.js';

const LONGEST = 200;

/** An instant as the service writes it. */
const INSTANT = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?Z$/;

/** Instants in milliseconds are between 2001 and 2096; what never ends is far beyond. */
const isInstant = (value: number): boolean => value > 1e12 && value < 4e12;

/**
 * What a field of a line of the audit log was or became, in words; undefined for one that it did not have.
 * @param roleWords a role by its number; empty for the one without access
 */
export function saidValue(
  name: string,
  value: unknown,
  roleWords: (roleType: number) => string,
): string | undefined {
  if (value === undefined) return undefined;
  if (value === null) return t('audit.empty');
  if (typeof value === 'boolean') return t(value ? 'audit.yes' : 'audit.no');
  if (typeof value === 'number') return saidNumber(name, value, roleWords);
  if (Array.isArray(value)) return saidList(name, value);
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  if (INSTANT.test(text)) return shownTime(text);
  return shortened(text);
}

const shortened = (text: string): string =>
  text.length > LONGEST ? `${[...text].slice(0, LONGEST).join('')} …` : text;

/** Lists of accounts, which have no names here, and of what may be done. */
function saidList(name: string, values: readonly unknown[]): string {
  if (values.length === 0) return t('audit.nothing');
  const isOfPermissions = name === 'permissions' || name === 'scopes';
  const words = values.map((value) => {
    if (typeof value === 'number') return `#${value}`;
    const text = typeof value === 'string' ? value : JSON.stringify(value);
    return (isOfPermissions ? aboutScope(text) : undefined) ?? text;
  });
  return shortened(words.join(', '));
}

function saidNumber(name: string, value: number, roleWords: (roleType: number) => string): string {
  if (name.endsWith('Ms') && isInstant(value)) return shownTime(value);
  if (name.endsWith('Id')) return `#${value}`;
  if (name === 'commissionBasisPoints') return percent(value / 10_000);
  return name === 'roleType' ? roleWords(value) || ofTeams('team.noAccess') : String(value);
}

const percent = (share: number): string =>
  new Intl.NumberFormat(regionalLocale(), { style: 'percent', maximumFractionDigits: 2 }).format(share);
