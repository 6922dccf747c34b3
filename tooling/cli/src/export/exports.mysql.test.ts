import { checkExports } from '../test/check-exports.js';

checkExports('mysql');
