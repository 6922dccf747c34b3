import { t } from '../words.js';

const JOBS = [
  { key: 'find', words: 'job.find', to: { to: '/members' } },
  { key: 'banned', words: 'job.banned', to: { to: '/members', search: { state: 'banned' } } },
  { key: 'mail', words: 'job.mail', to: { to: '/mail' } },
  { key: 'failed', words: 'job.failedMail', to: { to: '/mail', search: { state: 'failed' } } },
] as const;

export type Job = (typeof JOBS)[number];

/** The jobs whose words have all of the letters typed. Those that are not permitted are not there. */
export function jobsFor({ seesMembers }: { readonly seesMembers: boolean }, text: string): readonly Job[] {
  if (!seesMembers) return [];
  const typed = text.trim().toLowerCase();
  return JOBS.filter(({ words }) => t(words).toLowerCase().includes(typed));
}
