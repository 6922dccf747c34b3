import { checkPartnerImports } from '../test/check-partner-imports.js';

checkPartnerImports('libsql');
