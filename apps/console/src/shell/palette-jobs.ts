import type { StaffPermission } from '@gatehouse/client-sdk/admin';
import { type Me, mayAnywhere, mayAsStaff } from '../session/me.js';
import { t } from '../words.js';

const seesMembers = (me: Me): boolean => mayAnywhere(me, 'member.list');
const asStaff = (permission: StaffPermission) => (me: Me) => mayAsStaff(me, permission);

const JOBS = [
  { key: 'overview', words: 'job.overview', to: { to: '/' }, isFor: asStaff('audit.read') },
  { key: 'find', words: 'job.find', to: { to: '/members' }, isFor: seesMembers },
  { key: 'help', words: 'job.help', to: { to: '/help' }, isFor: seesMembers },
  {
    key: 'banned',
    words: 'job.banned',
    to: { to: '/members', search: { state: 'banned' } },
    isFor: seesMembers,
  },
  { key: 'mail', words: 'job.mail', to: { to: '/mail' }, isFor: seesMembers },
  {
    key: 'failed',
    words: 'job.failedMail',
    to: { to: '/mail', search: { state: 'failed' } },
    isFor: seesMembers,
  },
  { key: 'staff', words: 'job.staff', to: { to: '/staff' }, isFor: asStaff('personnel.read') },
  { key: 'addStaff', words: 'job.addStaff', to: { to: '/staff/new' }, isFor: asStaff('personnel.manage') },
  { key: 'partners', words: 'job.partners', to: { to: '/partners' }, isFor: asStaff('partner.manage') },
  {
    key: 'addPartner',
    words: 'job.addPartner',
    to: { to: '/partners/new' },
    isFor: asStaff('partner.manage'),
  },
  {
    key: 'failedWebhooks',
    words: 'job.failedWebhooks',
    to: { to: '/webhooks', search: { status: 'failed' } },
    isFor: asStaff('webhook.read'),
  },
  { key: 'affiliates', words: 'job.affiliates', to: { to: '/affiliates' }, isFor: asStaff('affiliate.read') },
  { key: 'me', words: 'job.me', to: { to: '/me' }, isFor: () => true },
] as const;

export type Job = (typeof JOBS)[number];

/** The jobs whose words have all of the letters typed. Those that are not permitted are not there. */
export function jobsFor(me: Me, text: string): readonly Job[] {
  const typed = text.trim().toLowerCase();
  return JOBS.filter(({ words, isFor }) => isFor(me) && t(words).toLowerCase().includes(typed));
}
