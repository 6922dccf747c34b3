import { catalogue } from '@gatehouse/ui/messages/translate';
import { beforeAll, describe, expect, it } from 'vitest';
import { changedFields } from './changed-fields.js';

// Without messages, each shows its name.
beforeAll(() => catalogue.loadAndActivate({ locale: 'en', messages: {} }));

const changed = (before: unknown, after: unknown) => changedFields(before, after, () => 'Designer');

describe('the changed fields of a line of the audit log', () => {
  it('are shown in words, with their values in words', () => {
    expect(changed({ accountIds: [2], counters: 3 }, { accountIds: [], counters: 0 })).toEqual({
      said: [
        { name: 'auditField.accountIds', from: '#2', to: 'audit.nothing' },
        { name: 'auditField.failedAttempts', from: '3', to: '0' },
      ],
      recorded: [],
    });
  });

  it('are shown as recorded, apart from the others, if they have no words', () => {
    expect(changed({ role: 'Chief', jwks: null }, { role: 'Designer', jwks: { keys: [] } })).toEqual({
      said: [],
      recorded: [
        { name: 'role', from: 'Chief', to: 'Designer' },
        { name: 'jwks', from: 'null', to: '{"keys":[]}' },
      ],
    });
  });

  it('have only what they became if they were empty, and are left out if they stay empty', () => {
    const { said } = changed(
      { roleType: null, until: null, name: 'Acme' },
      { roleType: 4, until: null, name: null },
    );
    expect(said).toEqual([
      { name: 'auditField.role', from: undefined, to: 'Designer' },
      { name: 'auditField.name', from: 'Acme', to: 'audit.empty' },
    ]);
  });
});
