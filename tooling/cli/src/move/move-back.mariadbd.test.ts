import { execFile } from 'node:child_process';
import { dirname } from 'node:path';
import { promisify } from 'node:util';
import { changeColumn } from '@gatehouse/features/test/change-column';
import { blockOf } from '@gatehouse/testkit';
import { expect, it } from 'vitest';
import { startMoveWorld } from '../test/move-world.js';
import { PLAY_PNPM } from '../test/play-pnpm.js';

it("what changed since the switch goes back by the guide's commands, the last of them the database's own client", async () => {
  await using mover = await startMoveWorld('mysql', 40);
  await mover.run('plan');
  await mover.run('run', '--map', 'move-map.yaml');
  const name = "O'Sea \\ 🌊;";
  await changeColumn(mover.database, { table: 'members', column: 'first_name', id: 5 }, name);

  const { old, folder: cwd, env } = mover;
  const { hostname, port, username, password, pathname } = new URL(old.ownersUrl);
  const owner = `--host=${hostname} --port=${port} --user=${username} --password='${password}' ${pathname.slice(1)}`;
  const script = blockOf('docs/moving.md', 'move back')
    .replace(/(?<=--from )\S+/, `'${old.url}'`)
    .replace('--user=owner --password old', owner);
  const PATH = `${dirname(process.execPath)}:/usr/local/bin:/usr/bin:/bin`;
  await promisify(execFile)(
    'bash',
    ['--norc', '-eu', '-c', `${PLAY_PNPM}\nmysql() { mariadb --no-defaults "$@"; }\n${script}`],
    {
      cwd,
      env: { ...env, PATH },
    },
  );
  expect(await old.run('select firstName from members where id = 5')).toEqual([{ firstName: name }]);
});
