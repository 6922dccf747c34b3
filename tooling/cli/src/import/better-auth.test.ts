import { checkBetterAuthImports } from '../test/check-better-auth-imports.js';

checkBetterAuthImports('libsql');
