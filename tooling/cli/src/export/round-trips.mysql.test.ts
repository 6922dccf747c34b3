import { describe } from 'vitest';
import { checkRoundTrips } from '../test/check-round-trips.js';

describe('from MariaDB to MariaDB', () => {
  checkRoundTrips('mysql', 'mysql');
});

describe('from the embedded database to MariaDB', () => {
  checkRoundTrips('libsql', 'mysql');
});
