import { describe } from 'vitest';
import { checkRoundTrips } from '../test/check-round-trips.js';

describe('a round trip from MariaDB to MariaDB', () => {
  checkRoundTrips('mysql', 'mysql');
});

describe('a round trip from the embedded database to MariaDB', () => {
  checkRoundTrips('libsql', 'mysql');
});
