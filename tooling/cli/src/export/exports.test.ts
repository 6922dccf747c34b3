import { checkExports } from '../test/check-exports.js';

checkExports('libsql');
