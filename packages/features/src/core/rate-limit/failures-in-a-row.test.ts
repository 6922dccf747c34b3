import { describe, inject } from 'vitest';
import { failuresInARowHold } from '../../test/failures-in-a-row-hold.js';

describe('wrong passwords in a row', () => {
  failuresInARowHold(inject('dialect'), () => ({}));
});
