import { isSecurityEvent } from '@gatehouse/features/audit/record-audit';
import { auditedActions } from '@gatehouse/features/test/audited-actions';
import { describe, expect, it } from 'vitest';
import { EVENTS } from './event-words.js';

describe('the words of security events', () => {
  it('exist for each kind that the service writes', () => {
    const kinds = auditedActions().filter(isSecurityEvent);
    expect(kinds.length).toBeGreaterThan(40);
    // The start of a session is shown as a login.
    const untold = kinds.filter((kind) => kind !== 'session.started' && !Object.hasOwn(EVENTS, kind));
    expect(untold).toEqual([]);
  });
});
