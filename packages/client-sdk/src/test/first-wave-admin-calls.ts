import { type FirstWaveWorld, PASSWORD } from './first-wave-world.js';

const root = { email: 'root@gatehouse.test', password: PASSWORD };
const colleague = { firstName: 'New', lastName: 'Colleague', roleType: 6, accountIds: [2] };

const nobody = ({ wave, admin }: FirstWaveWorld) => wave.createAdminClient({ url: admin.url });

/** Another member of account 1. */
async function subject(world: FirstWaveWorld): Promise<number> {
  const { userId: memberId } = await world.registered();
  const { api } = await world.staff();
  await api.membership.save.mutate({ memberId, accountId: 1, roleType: 5 });
  return memberId;
}

async function newPartner(world: FirstWaveWorld, name: string): Promise<number> {
  const { api } = await world.staff();
  return (await api.partner.save.mutate({ name, appUrl: 'https://app.partner.test' })).partnerId;
}

async function newAffiliate(world: FirstWaveWorld, code: string) {
  const { api } = await world.staff();
  const memberId = await subject(world);
  return api.affiliate.save.mutate({ memberId, code, commissionPercent: 5, payoutEmail: 'payout@wave.test' });
}

/** Links a member of the staff to the partner of the demonstration. */
async function linkedPartner({ main: { database } }: FirstWaveWorld): Promise<number> {
  const { partners, partnerMembers } = database.tables;
  const [partner] = await database.select().from(partners);
  const partnerId = partner?.id ?? 0;
  const links = await database.select().from(partnerMembers);
  if (!links.some((link) => link.memberId === 1 && link.partnerId === partnerId))
    await database.insert(partnerMembers, { partnerId, memberId: 1, linkedAtMs: Date.now() });
  return partnerId;
}

/** A delivery that was ignored. */
async function delivery({ main: { database } }: FirstWaveWorld, eventId: string): Promise<number> {
  return database.insert(database.tables.webhookLog, {
    provider: 'stripe',
    endpoint: 'stripe',
    eventId,
    dedupeKey: eventId,
    type: 'test',
    body: '{}',
    bodyBytes: 2,
    digest: '0'.repeat(64),
    status: 'ignored',
    address: '127.0.0.1',
    receivedAtMs: Date.now(),
  });
}

/** Connects a profile of a provider with staff of role 0. */
async function connected(world: FirstWaveWorld, provider: string) {
  const gatehouse = await world.staff();
  const { url } = await gatehouse.api.social.connect.mutate({ provider });
  const code = (await world.visit(url)).searchParams.get('code') ?? '';
  return { gatehouse, answer: await gatehouse.api.social.finish.mutate({ code }) };
}

/** A call of each procedure that the first wave's client has for the admin service. */
export const ADMIN_CALLS: Readonly<Record<string, (world: FirstWaveWorld) => Promise<unknown>>> = {
  'account.list': async (world) => (await world.staff()).api.account.list.query({ limit: 2 }),
  'account.members': async (world) => (await world.staff()).api.account.members.query({ ownerId: 3 }),
  'account.names': async (world) => (await world.staff()).api.account.names.query({ search: 'A' }),
  async 'account.remove'(world) {
    const { accountId } = await world.registered();
    return (await world.staff()).api.account.remove.mutate({ accountId });
  },
  'account.search': async (world) => (await world.staff()).api.account.search.query({ search: 'Acme' }),
  async 'affiliate.marketingUrl'(world) {
    const { data } = await newAffiliate(world, 'waveurl');
    return (await world.staff()).api.affiliate.marketingUrl.query({ affiliateId: data.id });
  },
  'affiliate.save': (world) => newAffiliate(world, 'wavesave'),
  async 'affiliate.search'(world) {
    await newAffiliate(world, 'wavesearch');
    return (await world.staff()).api.affiliate.search.query({});
  },
  'audit.list': async (world) => (await world.staff()).api.audit.list.query({ limit: 20 }),
  'knowledge.analyze': async (world) =>
    (await world.staff()).api.knowledge.analyze.mutate({
      accountId: 2,
      languageModelId: 'model-7',
      topic: 'late parcels',
    }),
  'login.bearer': (world) => nobody(world).api.login.bearer.mutate(root),
  'login.web': (world) => nobody(world).api.login.web.mutate(root),
  async 'member.ban'(world) {
    const memberId = await subject(world);
    return (await world.staff()).api.member.ban.mutate({ memberId });
  },
  'member.owners': async (world) => (await world.staff()).api.member.owners.query({ limit: 3 }),
  async 'member.remove'(world) {
    const { userId: memberId } = await world.registered();
    return (await world.staff()).api.member.remove.mutate({ memberId });
  },
  'member.search': async (world) => (await world.staff()).api.member.search.query({ search: 'acme' }),
  async 'member.unlock'(world) {
    const memberId = await subject(world);
    return (await world.staff()).api.member.unlock.mutate({ memberId });
  },
  async 'member.update'(world) {
    const memberId = await subject(world);
    return (await world.staff()).api.member.update.mutate({ memberId, firstName: 'Another', roleType: 2 });
  },
  async 'membership.remove'(world) {
    const memberId = await subject(world);
    return (await world.staff()).api.membership.remove.mutate({ memberId, accountId: 1 });
  },
  async 'membership.save'(world) {
    const { userId: memberId } = await world.registered();
    const membership = { memberId, accountId: 1, roleType: 1, active: true };
    return (await world.staff()).api.membership.save.mutate(membership);
  },
  async 'partner.consent'(world) {
    const partnerId = await linkedPartner(world);
    return (await world.staff()).api.partner.consent.mutate({ partnerId });
  },
  async 'partner.listMine'(world) {
    await linkedPartner(world);
    return (await world.staff()).api.partner.listMine.query({});
  },
  async 'partner.deactivate'(world) {
    const partnerId = await newPartner(world, 'wave-deactivated');
    return (await world.staff()).api.partner.deactivate.mutate({ partnerId });
  },
  async 'partner.finishRotation'(world) {
    const partnerId = await newPartner(world, 'wave-finished');
    const { api } = await world.staff();
    await api.partner.rotateSecret.mutate({ partnerId });
    return api.partner.finishRotation.mutate({ partnerId });
  },
  'partner.list': async (world) => (await world.staff()).api.partner.list.query({}),
  async 'partner.rotateSecret'(world) {
    const partnerId = await newPartner(world, 'wave-rotated');
    return (await world.staff()).api.partner.rotateSecret.mutate({ partnerId, overlapSeconds: 60 });
  },
  'partner.save': async (world) =>
    (await world.staff()).api.partner.save.mutate({
      partnerId: await newPartner(world, 'wave-saved'),
      appUrl: 'https://other.partner.test',
    }),
  async 'password.change'(world) {
    const gatehouse = await world.staff('staff@gatehouse.test');
    const newPassword = 'Copper-Meadow-17';
    const answer = await gatehouse.api.password.change.mutate({ currentPassword: PASSWORD, newPassword });
    const back = { currentPassword: newPassword, newPassword: 'Another-Meadow-18' };
    await gatehouse.api.password.change.mutate(back);
    return answer;
  },
  'personnel.detail': async (world) => (await world.staff()).api.personnel.detail.query({ personnelId: 2 }),
  async 'personnel.promote'(world) {
    const memberId = await subject(world);
    return (await world.staff()).api.personnel.promote.mutate({ memberId });
  },
  async 'personnel.save'(world) {
    const { api } = await world.staff();
    const { data } = await api.personnel.save.mutate({ ...colleague, email: 'colleague@wave.test' });
    return api.personnel.save.mutate({ personnelId: data.id, active: false });
  },
  'personnel.searchManagers': async (world) =>
    (await world.staff()).api.personnel.searchManagers.query({ search: 'staff' }),
  'profile.update': async (world) => (await world.staff()).api.profile.update.mutate({ lastName: 'Byron' }),
  'registration.resendConfirmation': async (world) =>
    (await world.staff()).api.registration.resendConfirmation.mutate(),
  'session.end': async (world) => (await world.staff()).api.session.end.mutate(),
  'session.endMany': async (world) => (await world.staff()).api.session.endMany.mutate({ others: true }),
  'session.issueAuthToken': async (world) => (await world.staff()).api.session.issueAuthToken.mutate(),
  'session.list': async (world) => (await world.staff()).api.session.list.query({}),
  'session.me': async (world) => (await world.staff()).withAccount(1).api.session.me.query(),
  async 'session.byAuthToken'(world) {
    const { token } = await (await world.staff()).api.session.issueAuthToken.mutate();
    return nobody(world).api.session.byAuthToken.query(undefined, world.wave.perCall({ bearer: token }));
  },
  async 'session.endFor'(world) {
    const memberId = await subject(world);
    return (await world.staff()).api.session.endFor.mutate({ memberId });
  },
  async 'session.listFor'(world) {
    const memberId = await subject(world);
    return (await world.staff()).api.session.listFor.query({ memberId });
  },
  'social.connect': async (world) => (await world.staff()).api.social.connect.mutate({ provider: 'twitter' }),
  'social.finish': async (world) => (await connected(world, 'google')).answer,
  async 'social.list'(world) {
    const { gatehouse } = await connected(world, 'facebook');
    return gatehouse.api.social.list.query({});
  },
  async 'social.remove'(world) {
    const { gatehouse, answer } = await connected(world, 'github');
    return gatehouse.api.social.remove.mutate({ connectionId: answer.data.id });
  },
  async 'webhook.detail'(world) {
    const id = await delivery(world, 'evt_detail');
    return (await world.staff()).api.webhook.detail.query({ id });
  },
  async 'webhook.list'(world) {
    await delivery(world, 'evt_list');
    return (await world.staff()).api.webhook.list.query({ provider: 'stripe', status: 'ignored' });
  },
  async 'webhook.replay'(world) {
    const id = await delivery(world, 'evt_replay');
    return (await world.staff()).api.webhook.replay.mutate({ id });
  },
};
