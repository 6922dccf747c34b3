import { expect, it } from 'vitest';
import { PEOPLE, walkCommands } from './test/walk-commands.js';

it.each(Object.entries(PEOPLE))(
  'no command gives staff authority to a person with an unproven address, on MariaDB with %s',
  { timeout: 120_000 },
  async (_who, options) => {
    const effects = await walkCommands('mysql', options);
    expect(effects.filter(({ isRaised, unproven }) => isRaised || unproven.length > 0)).toEqual([]);
    expect(effects.filter(({ code }) => code === 2)).toEqual([]);
  },
);
