import { describe, expect, it } from 'vitest';
import { COMMANDS } from './commands.js';
import { ARGUMENTS, PEOPLE, walkCommands } from './test/walk-commands.js';

describe('the commands of gatehouse', () => {
  it('are all covered by this test', () => {
    expect(Object.keys(ARGUMENTS)).toEqual(COMMANDS.map(({ name }) => name));
  });

  it.each(Object.entries(PEOPLE))(
    'give no staff authority to a person with an unproven address, on the embedded database with %s',
    { timeout: 120_000 },
    async (_who, options) => {
      const effects = await walkCommands('libsql', options);
      expect(effects.filter(({ isRaised, unproven }) => isRaised || unproven.length > 0)).toEqual([]);
      expect(effects.filter(({ code }) => code === 2)).toEqual([]);
      const added = effects.find(({ command }) => command === 'create-personnel');
      expect(added?.code).toBe(options === undefined ? 0 : 1);
    },
  );
});
