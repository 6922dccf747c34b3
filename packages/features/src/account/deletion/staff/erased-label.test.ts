import { describe, expect, it } from 'vitest';
import { dumpDatabase } from '../../../test/dump-database.js';
import { endGrace } from '../../../test/end-grace.js';
import { startSupportWorld } from '../../../test/support-world.js';
import { memberErasure } from '../member-erasure.js';

const DAY_MS = 86_400_000;

describe('the label of a base role that staff typed', () => {
  it('is gone with the member, from their row and from the audit log', async () => {
    await using world = await startSupportWorld();
    const member = await world.member();
    const label = { memberId: member.id, role: 'Cousin of Zephyrine' };
    expect((await world.call('member.update', label, world.root)).status).toBe(200);
    const filter = { subjectKind: 'member', subjectId: String(member.id), action: 'member.updated' };
    const lines = async () => (await world.call('audit.list', filter, world.root)).data;
    expect(await lines()).toMatchObject([{ after: { role: 'Cousin of Zephyrine' } }]);
    const gone = await world.call('member.deleteOwn', {}, member, { on: world.main });
    expect(gone.status).toBe(200);
    await endGrace(world.db, 31 * DAY_MS);
    expect(await memberErasure.run(world.main.services)).toBe(1);
    expect(await dumpDatabase(world.db)).not.toContain('Zephyrine');
    expect(await lines()).toMatchObject([{ action: 'member.updated' }]);
    const rows = await world.db.select().from(world.db.tables.members);
    expect(rows.find(({ id }) => id === member.id)).toMatchObject({ roleType: 5, role: 'User Member' });
  });
});
