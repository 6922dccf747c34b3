import { checkRoundTrips } from '../test/check-round-trips.js';

checkRoundTrips('libsql', 'libsql');
